// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// An ERC-20 that does what its `oddity` says. Everybody may mint.
contract OddToken {
    enum Oddity { None, AnswersFalse, AnswersNothing }

    string public constant name = "No Dollar";
    string public constant symbol = "NO";
    uint8 public constant decimals = 6;
    uint256 public totalSupply;
    Oddity public oddity;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    constructor(Oddity oddity_) {
        oddity = oddity_;
    }

    /// So that a call can be simulated by one token and included by another.
    function become(Oddity oddity_) external {
        oddity = oddity_;
    }

    function mint(address to, uint256 value) external {
        totalSupply += value;
        balanceOf[to] += value;
        emit Transfer(address(0), to, value);
    }

    function transfer(address to, uint256 value) external returns (bool) {
        if (oddity == Oddity.AnswersFalse) return false;
        require(balanceOf[msg.sender] >= value, "balance");
        balanceOf[msg.sender] -= value;
        balanceOf[to] += value;
        emit Transfer(msg.sender, to, value);
        answer();
        return true;
    }

    function approve(address spender, uint256 value) external returns (bool) {
        if (oddity == Oddity.AnswersFalse) return false;
        // As USDT on Ethereum: an allowance goes from zero to something or to zero.
        if (oddity == Oddity.AnswersNothing) require(value == 0 || allowance[msg.sender][spender] == 0);
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        answer();
        return true;
    }

    function answer() private view {
        if (oddity == Oddity.AnswersNothing) assembly { return(0, 0) }
    }
}
