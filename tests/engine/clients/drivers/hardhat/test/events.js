const { deepStrictEqual } = require('node:assert')
const { ethers } = require('hardhat')

describe('events', () => {
  for (let round = 1; round <= 8; round++)
    it(`are found from the deployment on, ${round}`, async () => {
      const box = await ethers.deployContract('Box')
      const { blockNumber } = await box.deploymentTransaction().wait()
      await (await box.initialize(1)).wait()
      await (await box.store(round)).wait()
      const events = await box.queryFilter('Stored', blockNumber)
      deepStrictEqual(
        events.map(({ args }) => args.value),
        [BigInt(round)],
      )
    })
})
