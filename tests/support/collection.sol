// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// Sells items (ERC-721), takes tokens, and lies in its events.
contract Collection {
    mapping(address => uint256) public balanceOf;
    mapping(uint256 => address) public getApproved;
    mapping(uint256 => address) owners;
    mapping(address => mapping(address => bool)) public isApprovedForAll;

    event Transfer(address indexed from, address indexed to, uint256 indexed id);
    event Approval(address indexed owner, address indexed approved, uint256 indexed id);
    event ApprovalForAll(address indexed owner, address indexed operator, bool approved);

    function ownerOf(uint256 id) external view returns (address) {
        require(owners[id] != address(0), "no such item");
        return owners[id];
    }

    function buy(uint256 id) public payable {
        balanceOf[msg.sender]++;
        owners[id] = msg.sender;
        emit Transfer(address(0), msg.sender, id);
    }

    function swap(uint256 given, uint256 taken) external {
        balanceOf[msg.sender]--;
        owners[given] = address(this);
        emit Transfer(msg.sender, address(this), given);
        buy(taken);
    }

    function approve(address spender, uint256 id) external {
        getApproved[id] = spender;
        emit Approval(msg.sender, spender, id);
    }

    function setApprovalForAll(address operator, bool approved) external {
        isApprovedForAll[msg.sender][operator] = approved;
        emit ApprovalForAll(msg.sender, operator, approved);
    }

    function deposit(IToken token, uint256 amount) external {
        token.transferFrom(msg.sender, address(this), amount);
    }

    function pretend(uint256 id) external {
        emit Transfer(address(0), msg.sender, id);
    }
}

interface IToken {
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
}
