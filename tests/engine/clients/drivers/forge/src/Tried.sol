// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

interface Cheats {
    function startBroadcast(uint256 key) external;
    function envUint(string calldata name) external view returns (uint256);
    function envAddress(string calldata name) external view returns (address);
}

Cheats constant vm = Cheats(address(uint160(uint256(keccak256("hevm cheat code")))));

contract Counter {
    uint256 public count;

    function add(uint256 more) external {
        require(more > 0, "boom");
        count += more;
    }
}

/// Deploys a contract and calls it: three transactions, each depends on the previous one.
contract Deploy {
    function run() external returns (uint256) {
        vm.startBroadcast(vm.envUint("PRIVATE_KEY"));
        Counter counter = new Counter();
        counter.add(2);
        counter.add(3);
        return counter.count();
    }
}

contract Reverts {
    function run() external {
        vm.startBroadcast(vm.envUint("PRIVATE_KEY"));
        new Counter().add(0);
    }
}

contract Balance {
    function run() external view returns (uint256) {
        return vm.envAddress("ASKED").balance;
    }
}

interface Probe {
    function value() external view returns (uint256);
}

contract Read {
    function run() external view returns (uint256, uint256, bytes32) {
        Probe probe = Probe(vm.envAddress("PROBE"));
        return (probe.value(), block.number, blockhash(block.number - 1));
    }
}
