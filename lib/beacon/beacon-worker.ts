import { parentPort, workerData } from 'node:worker_threads'
import { createFetchDispatcher } from '../transport/fetch-dispatcher.ts'
import { createGetBeacon } from './beacon-apis.ts'
import type { BeaconWork } from './beacon-watch.ts'
import { createBeaconFollower } from './follow-beacon.ts'
import { createReachedFile } from './reached-file.ts'

/** A thread of its own: to check a signature takes 60 ms, and to read the keys of a committee 700. */
const { proxies, everyMs, file, ...settings } = workerData as BeaconWork
const get = createGetBeacon(createFetchDispatcher({ proxies }))
const follower = createBeaconFollower(settings, {
  get,
  now: Date.now,
  ...(file !== null && { reached: createReachedFile(file, settings.checkpoint) }),
})

async function lookOn(): Promise<void> {
  parentPort?.postMessage(await follower.look())
  setTimeout(() => void lookOn(), everyMs)
}

void lookOn()
