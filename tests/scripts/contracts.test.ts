import { createCipheriv, scryptSync } from 'node:crypto'
import { cpSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { keccak256, parseAbi } from 'viem'
import { expect, test } from 'vitest'
import { readContractSource } from '../../scripts/contracts/compile.ts'
import { readDeployments, recordDeployments } from '../../scripts/contracts/deployments.ts'
import { keyOfKeystore } from '../../scripts/contracts/keystore.ts'
import { folderForOneFile } from '../support/folder.ts'

const folder = folderForOneFile()

const abi = parseAbi(['function stake(uint256 amount)'])
const address = '0x5FbDB2315678afecb367f032d93F642f64180aa3'

test('local and real addresses of a contract stand beside each other, and what is known already leaves the file as it is', async () => {
  const path = join(folder, 'deployments.ts')
  writeFileSync(path, '/** Mine. */\nexport const deployments = {} as const\n')
  const local = { name: 'staking', abi, chainId: 10, isLocal: true, address } as const
  recordDeployments([local, { ...local, chainId: 137 }], path)
  recordDeployments([{ ...local, isLocal: false }], path)
  expect(readDeployments(path)).toEqual({
    staking: { abi, local: { 10: address, 137: address }, addresses: { 10: address } },
  })
  const { ino } = statSync(path)
  recordDeployments([local], path)
  recordDeployments([], path)
  expect(statSync(path).ino).toBe(ino)
  expect(readFileSync(path, 'utf8')).toMatch(/^\/\*\* Mine\. \*\/\n[\s\S]* as const\n$/)
  expect((await import(path)).deployments).toEqual(readDeployments(path))
})

test('a source is compiled with what it imports; artifacts of Foundry and Hardhat are taken as they are', () => {
  cpSync('demo/contracts/token.sol', join(folder, 'token.sol'))
  const path = join(folder, 'my-token.sol')
  const contract = 'MyToken is Token { constructor(address[] memory h) Token("Mine", "M", 6, h, 1) {} }'
  writeFileSync(path, `pragma solidity ^0.8.0;\nimport "./token.sol";\ncontract ${contract}\n`)
  const { abi: own, source } = readContractSource(path)
  expect(own).toContainEqual(expect.objectContaining({ name: 'transferFrom' }))
  const compiler = expect.stringMatching(/^0\.8\.\d+\+/)
  expect(source).toMatchObject({ contract: 'MyToken:MyToken', compiler })
  for (const bytecode of ['0x6001', { object: '0x6001' }]) {
    const path = join(folder, 'artifact.json')
    writeFileSync(path, JSON.stringify({ abi, bytecode }))
    expect(readContractSource(path)).toEqual({ abi, bytecode: '0x6001', source: null })
  }
})

const secret = '0x7a28b5ba57c53603b0b07b56bba752f7784bf506fa95edc395f5cf6c7514fe9d'
const salt = 'ae3cd4e7013836a3df6bd7241b12db061dbe2c6785853cce422d148a624ce0bd'
const ofPbkdf2 = {
  cipherparams: { iv: '6087dab2f9fdbbfaddc31a909735c1e6' },
  ciphertext: '5318b4d5bcd28de64ee5559e671353e16f075ecae9f99c7a79a38af5f869aa46',
  kdf: 'pbkdf2',
  kdfparams: { c: 262144, dklen: 32, prf: 'hmac-sha256', salt },
  mac: '517ead924a9d0dc3124507e3393d175ce3ff7c1e96529c6c555ce9e51205e9b2',
}

/** With the parameters of geth and Foundry. */
function ofScrypt(password: string) {
  const [n, r, p, salt, iv] = [8192, 8, 1, Buffer.alloc(32, 1), Buffer.alloc(16, 2)]
  const derived = scryptSync(password, salt, 32, { N: n, r, p })
  const cipher = createCipheriv('aes-128-ctr', derived.subarray(0, 16), iv)
  const encrypted = Buffer.concat([cipher.update(Buffer.from(secret.slice(2), 'hex')), cipher.final()])
  return {
    cipherparams: { iv: iv.toString('hex') },
    ciphertext: encrypted.toString('hex'),
    kdf: 'scrypt',
    kdfparams: { n, r, p, dklen: 32, salt: salt.toString('hex') },
    mac: keccak256(Buffer.concat([derived.subarray(16), encrypted])).slice(2),
  }
}

test.each([
  ['the vector of Web3 Secret Storage', { crypto: ofPbkdf2 }],
  ['scrypt', { crypto: ofScrypt('testpassword') }],
  ['as ethers writes it', { Crypto: ofScrypt('testpassword') }],
])('a keystore is opened by its password alone: %s', (_, file) => {
  const text = JSON.stringify(file)
  expect(keyOfKeystore(text, 'testpassword')).toBe(secret)
  expect(() => keyOfKeystore(text, 'testpassworD')).toThrow('another one')
})

test('a file that is none is no keystore', () => {
  expect(() => keyOfKeystore('{"address":"0x"}', 'testpassword')).toThrow('no keystore of version 3')
})
