import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import {
  type Address,
  encodeDeployData,
  formatEther,
  getContractAddress,
  type Hex,
  keccak256,
  type PrivateKeyAccount,
  type PublicClient,
} from 'viem'
import { readContractSource } from './compile.ts'
import { readDeployments, recordDeployments } from './deployments.ts'
import type { CompiledContract, DeployerCall, Setup } from './setup-chain.ts'

export interface DeployOptions {
  readonly client: PublicClient
  readonly account: PrivateKeyAccount
  readonly setup: Setup
  /** `journal` is what an unfinished run leaves for the next one. */
  readonly files: { readonly deployments: string; readonly journal: string }
  /** Asks before a transaction is signed. */
  readonly confirm: (sentence: string) => Promise<boolean>
  readonly say: (sentence: string) => void
  /** `hash` is that of the creation, which is not known of a contract of an earlier run. */
  readonly verify?: (contract: CompiledContract, address: Address, hash?: Hex) => Promise<void>
}

/** A transaction that was signed, in the order of `setup`: its digest says what it is, so that another one is not taken for it. */
interface JournalEntry {
  readonly digest: Hex
  readonly signed: Hex
  readonly address: Address
}

/** The OP Stack's GasPriceOracle. OP Stack chains also charge a fee for data on layer 1. */
const l1Oracle = '0x420000000000000000000000000000000000000F'

/**
 * Runs `setup` on a real chain. Each transaction is written down before it is sent: a run that was cut off is continued by the next one,
 * which sends the same bytes again.
 */
export async function deployOn(options: DeployOptions): Promise<void> {
  const { client, account, setup, files, confirm, say } = options
  const id = await client.getChainId()
  const journal: JournalEntry[] = existsSync(files.journal)
    ? JSON.parse(readFileSync(files.journal, 'utf8'))
    : []
  const writeJournal = () => writeFileSync(files.journal, JSON.stringify(journal))
  let step = 0

  /** Signs, or takes what an earlier run has signed. */
  const carryOut = async (what: string, call: DeployerCall) => {
    const digest = keccak256(
      new TextEncoder().encode(JSON.stringify([account.address, call.to, call.data, `${call.value ?? 0n}`])),
    )
    const former = journal[step]
    if (former !== undefined && former.digest !== digest)
      throw new Error(
        `${what} differs from the call that an earlier run signed. To begin again, delete ${files.journal}: this repeats calls that were sent`,
      )
    const entry = former ?? (await sign(what, call, digest))
    if (former === undefined) {
      journal.push(entry)
      writeJournal()
    }
    step += 1
    const hash = keccak256(entry.signed)
    const known = await client.getTransactionReceipt({ hash }).catch(() => null)
    if (known === null)
      await client.sendRawTransaction({ serializedTransaction: entry.signed }).catch(ignoreKnown)
    const receipt = known ?? (await client.waitForTransactionReceipt({ hash }).catch(advise))
    if (receipt.status !== 'success') {
      // The next run signs a new transaction: the reverted one stays in its block.
      journal.splice(step - 1)
      writeJournal()
      throw new Error(`${what} reverted: ${hash}`)
    }
    return { hash, address: entry.address }
  }

  const advise = (cause: Error) => {
    const advice = `if another transaction used this nonce, delete the last entry of ${files.journal}`
    throw new Error(`${cause.message}\n${advice}`, { cause })
  }

  const sign = async (what: string, call: DeployerCall, digest: Hex): Promise<JournalEntry> => {
    const request = await client.prepareTransactionRequest({ account, chain: null, ...call })
    const { gas = 0n, nonce = 0 } = request
    const price = request.maxFeePerGas ?? request.gasPrice ?? 0n
    const cost = formatEther(gas * price + (call.value ?? 0n))
    const hasDataFee = (await client.getCode({ address: l1Oracle })) !== undefined
    const more = hasDataFee ? ' and the layer 1 data fee' : ''
    if (!(await confirm(`${what}, nonce ${nonce}, costs at most ${cost}${more}`)))
      throw new Error('nothing was signed')
    const signed = await account.signTransaction({ ...request, chainId: id } as never)
    return { digest, signed, address: getContractAddress({ from: account.address, nonce: BigInt(nonce) }) }
  }

  await setup({
    id,
    isLocal: false,
    deployer: account.address,
    demoToken: null,
    async deploy(name, source, args = []) {
      const contract = readContractSource(source)
      const data = encodeDeployData({ abi: contract.abi, bytecode: contract.bytecode, args })
      const there = readDeployments(files.deployments)[name]?.addresses?.[id]
      if (there !== undefined && journal[step]?.address !== there) {
        say(`${name} is deployed: ${there}`)
        await options.verify?.(contract, there)
        return there
      }
      const { address, hash } = await carryOut(`deploy ${name}`, { data })
      recordDeployments(
        [{ name, abi: contract.abi, chainId: id, isLocal: false, address }],
        files.deployments,
      )
      say(`${name}: ${address}`)
      await options.verify?.(contract, address, hash)
      return address
    },
    async send(transaction) {
      await carryOut(`call ${transaction.to}`, transaction)
    },
  })
  rmSync(files.journal, { force: true })
}

/** A node that has the transaction says so. */
function ignoreKnown(error: Error): void {
  if (!/already known|nonce too low|already imported/i.test(error.message)) throw error
}
