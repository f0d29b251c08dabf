// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// A contract wallet that executes any call for anybody, in the format of Safe. It cannot receive coins by a plain payment.
contract Account {
    event ExecutionFailure(bytes32 txHash, uint256 payment);

    constructor() payable {}

    function execTransaction(address to, uint256 value, bytes calldata data) external {
        (bool done, ) = to.call{value: value}(data);
        if (!done) emit ExecutionFailure(bytes32(0), 0);
    }
}
