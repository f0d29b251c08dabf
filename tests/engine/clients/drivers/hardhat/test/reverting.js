const { rejects } = require('node:assert')
const { ethers } = require('hardhat')

describe('reverting', () => {
  let box
  let owner
  before(async () => {
    owner = (await ethers.getSigners())[0].address
    box = await ethers.deployContract('Box')
    await box.waitForDeployment()
  })

  for (let round = 1; round <= 8; round++) {
    it(`says why with a custom error, ${round}`, () =>
      rejects(box.store(round), ({ data }) => data === box.interface.encodeErrorResult('NotOwner', [owner])))

    it(`says why with a reason, ${round}`, async () => {
      const used = await ethers.deployContract('Box')
      await used.waitForDeployment()
      await (await used.initialize(1)).wait()
      await rejects(used.initialize(2), /Box: initialised already/)
    })
  }
})
