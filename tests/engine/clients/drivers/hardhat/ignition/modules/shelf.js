const { buildModule } = require('@nomicfoundation/hardhat-ignition/modules')

module.exports = buildModule('Shelves', (module) => {
  const box = module.contract('Box')
  const initialized = module.call(box, 'initialize', [7])
  const shelf = module.contract('Shelf', [box], { after: [initialized] })
  module.call(box, 'store', [8], { after: [shelf] })
  return { box, shelf }
})
