import { z } from 'zod'
import type { Gateway } from '#rpc-proxy'
import { contentTypeOf, type HostRequest, type HostResponse, json, refuse } from '../http.ts'
import { parseJson } from '../parse-json.ts'

/** The operator's name as they give it; all operators share one token. */
const who = z
  .string()
  .trim()
  .regex(/^[\p{L}\p{M}\p{N} ._@'’+()-]{1,64}$/u)
  .optional()
const actions = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('cordon'), by: who }),
  z.strictObject({ action: z.literal('uncordon'), by: who }),
  /** Demo and dev only: injects a fault, described as the demo's nodes expect it. */
  z.strictObject({ action: z.literal('fault'), faultProfile: z.unknown() }),
])

const bodyBytesMax = 16_384
const bodyMsMax = 5000
const controlMsMax = 5000

/** Cordons or uncordons a node, or has the demo give it a fault: `POST /api/rpc/nodes/<chain>/<node>`. */
export async function actOnNode(
  request: HostRequest,
  [chain = '', node = '']: readonly string[],
  cordon: Gateway['cordon'],
  controlUrl: string | undefined,
): Promise<HostResponse> {
  const action = await actionOf(request)
  if (typeof action === 'string') return refuse(400, action)
  const chainId = Number(chain)
  if (action.action === 'fault') return injectFault(controlUrl, { chainId, node, ...action })
  const done = cordon(chainId, node, action.action === 'cordon', action.by)
  return done ? json(200, { chainId, node, ...action }) : refuse(404, 'no such node')
}

/** The action, or an error message. */
async function actionOf(request: HostRequest): Promise<z.output<typeof actions> | string> {
  const body = await request.body(bodyBytesMax, bodyMsMax)
  if (contentTypeOf(request) !== 'application/json' || 'fault' in body) return 'unknown action'
  const { data, error } = actions.safeParse(parseJson(body.text))
  if (data !== undefined) return data
  const isOfName = error.issues.some(({ path }) => path[0] === 'by')
  return isOfName ? "by must be a name of at most 64 letters, digits, spaces and ._@'’+()-" : 'unknown action'
}

async function injectFault(
  controlUrl: string | undefined,
  fault: { readonly chainId: number; readonly node: string; readonly faultProfile?: unknown },
): Promise<HostResponse> {
  if (controlUrl === undefined) return refuse(404, 'nodes take a fault under the demo only')
  const { chainId, node, faultProfile } = fault
  try {
    const response = await fetch(`${controlUrl.replace(/\/control$/, '')}/control`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ chain: chainId, node, faultProfile }),
      redirect: 'manual',
      signal: AbortSignal.timeout(controlMsMax),
    })
    if (response.ok) return json(200, fault)
    return refuse(response.status === 404 ? 404 : 400, 'the demo did not take it')
  } catch {
    return refuse(502, 'the demo does not answer')
  }
}
