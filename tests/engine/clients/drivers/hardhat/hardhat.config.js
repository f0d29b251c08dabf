const { subtask } = require('hardhat/config')
const { TASK_COMPILE_SOLIDITY_GET_SOLC_BUILD } = require('hardhat/builtin-tasks/task-names')
require('@nomicfoundation/hardhat-ethers')
require('@nomicfoundation/hardhat-ignition-ethers')
require('@openzeppelin/hardhat-upgrades')

const solidity = '0.8.37'

// The compiler of the npm package: Hardhat would download one.
subtask(TASK_COMPILE_SOLIDITY_GET_SOLC_BUILD, async () => ({
  compilerPath: require.resolve('solc/soljson.js'),
  isSolcJs: true,
  version: solidity,
  longVersion: require('solc').version(),
}))

module.exports = {
  solidity,
  networks: {
    tried: {
      url: process.env.TRIED_URL ?? '',
      accounts: process.env.PRIVATE_KEY ? [process.env.PRIVATE_KEY] : [],
    },
  },
}
