const { strictEqual } = require('node:assert')
const { ethers } = require('hardhat')

describe('storing', () => {
  for (let round = 1; round <= 8; round++)
    it(`returns what was stored last, ${round}`, async () => {
      const box = await ethers.deployContract('Box')
      await box.waitForDeployment()
      await (await box.initialize(1)).wait()
      await (await box.store(round)).wait()
      strictEqual(await box.value(), BigInt(round))
    })
})
