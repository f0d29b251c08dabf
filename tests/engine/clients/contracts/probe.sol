// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// One function for each outcome of a call.
contract Probe {
    uint256 public value = 42;

    event Set(address indexed by, uint256 value);
    error TooSmall(uint256 given, uint256 least);

    function set(uint256 next) external {
        value = next;
        emit Set(msg.sender, next);
    }

    function reverts() external view {
        require(value == 0, "boom");
    }

    function panics() external view returns (uint256) {
        return value / (value - value);
    }

    function refuses() external pure {
        revert TooSmall(1, 2);
    }

    /// Allocates more memory than any gas pays for, so that it fails at once.
    function burns() external view returns (uint256) {
        return new bytes(value * 1e8).length;
    }
}
