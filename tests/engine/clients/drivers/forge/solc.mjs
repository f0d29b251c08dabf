#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import solc from 'solc'

// forge runs a compiler by its path, or downloads one. This wraps the JavaScript compiler.
if (process.argv.includes('--version'))
  process.stdout.write(`solc, the solidity compiler\nVersion: ${solc.version()}\n`)
else process.stdout.write(solc.compile(readFileSync(0, 'utf8')))
