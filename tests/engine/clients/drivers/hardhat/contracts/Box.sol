// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Box {
    uint256 public value;
    address public owner;

    event Stored(address indexed by, uint256 value);
    error NotOwner(address by);

    function initialize(uint256 first) external {
        require(owner == address(0), "Box: initialised already");
        owner = msg.sender;
        value = first;
    }

    function store(uint256 next) external {
        if (msg.sender != owner) revert NotOwner(msg.sender);
        value = next;
        emit Stored(msg.sender, next);
    }

    function version() external pure virtual returns (uint256) {
        return 1;
    }
}

contract SecondBox is Box {
    function increment() external {
        value += 1;
    }

    function version() external pure override returns (uint256) {
        return 2;
    }
}

/// Is created for one box and stores its address.
contract Shelf {
    Box public immutable box;

    constructor(Box kept) {
        box = kept;
    }
}
