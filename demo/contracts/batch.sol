// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// The code of an account that carries out several calls as one (EIP-7702): all of them, or none.
contract Batch {
    struct Call {
        address to;
        uint256 value;
        bytes data;
    }

    error OnlyTheAccount();

    receive() external payable {}

    function execute(Call[] calldata calls) external payable {
        if (msg.sender != address(this)) revert OnlyTheAccount();
        for (uint256 i = 0; i < calls.length; i++) {
            (bool success, bytes memory result) = calls[i].to.call{value: calls[i].value}(calls[i].data);
            if (!success) {
                assembly {
                    revert(add(result, 32), mload(result))
                }
            }
        }
    }
}
