import { bytesToHex } from '@noble/hashes/utils.js'

export const randomHex = (bytes: number) => bytesToHex(crypto.getRandomValues(new Uint8Array(bytes)))
