#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import solc from 'solc'

// forge starts a compiler by its path and would download it otherwise; the one that we have is JavaScript.
if (process.argv.includes('--version'))
  process.stdout.write(`solc, the solidity compiler\nVersion: ${solc.version()}\n`)
else process.stdout.write(solc.compile(readFileSync(0, 'utf8')))
