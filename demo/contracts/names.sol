// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

struct Query {
    address sender;
    string[] urls;
    bytes data;
}

interface BatchGateway {
    function query(Query[] calldata queries) external view returns (bool[] memory failures, bytes[] memory responses);
}

interface Resolver {
    function resolve(bytes calldata name, bytes calldata data) external view returns (bytes memory);
}

/// Stands where ENS has its Universal Resolver, and answers as that does: with records of its own, or with those that a signer vouches for
/// at a gateway (EIP-3668). Anyone may write: it is for local chains.
contract Names {
    error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData);
    error ResolverNotFound(bytes name);
    error ResolverError(bytes errorData);
    error ReverseAddressMismatch(string primary, bytes primaryAddress);
    error HttpError(uint16 status, string message);

    mapping(bytes => mapping(uint256 => bytes)) private records;
    mapping(bytes => bool) private known;
    mapping(bytes => mapping(uint256 => string)) private primaries;
    mapping(bytes => string[]) private gateways;
    mapping(bytes => address) private signers;

    /// `name` as DNS writes it, `coinType` as ENSIP-9 and ENSIP-11.
    function setAddress(bytes calldata name, uint256 coinType, bytes calldata value) external {
        known[name] = true;
        records[name][coinType] = value;
    }

    function setPrimary(bytes calldata account, uint256 coinType, string calldata name) external {
        primaries[account][coinType] = name;
    }

    function setOffchain(bytes calldata name, string[] memory urls, address signer) external {
        known[name] = true;
        gateways[name] = urls;
        signers[name] = signer;
    }

    function resolveWithGateways(bytes calldata name, bytes calldata data, string[] calldata batch)
        external
        view
        returns (bytes memory, address)
    {
        if (!known[name]) revert ResolverNotFound(name);
        if (signers[name] == address(0)) return (abi.encode(records[name][coinTypeOf(data)]), address(this));
        Query[] memory queries = new Query[](1);
        bytes memory inner = abi.encodeCall(Resolver.resolve, (name, data));
        queries[0] = Query(address(this), gateways[name], inner);
        revert OffchainLookup(
            address(this),
            batch,
            abi.encodeCall(BatchGateway.query, (queries)),
            this.resolveCallback.selector,
            abi.encode(name, inner)
        );
    }

    function resolveCallback(bytes calldata response, bytes calldata extraData)
        external
        view
        returns (bytes memory, address)
    {
        (bytes memory name, bytes memory inner) = abi.decode(extraData, (bytes, bytes));
        (bool[] memory failures, bytes[] memory responses) = abi.decode(response, (bool[], bytes[]));
        if (failures[0]) revert HttpError(502, "gateway");
        (bytes memory result, uint64 expires, bytes memory signature) =
            abi.decode(responses[0], (bytes, uint64, bytes));
        bytes32 digest =
            keccak256(abi.encodePacked(hex"1900", address(this), expires, keccak256(inner), keccak256(result)));
        if (expires < block.timestamp || signerOf(digest, signature) != signers[name]) revert ResolverError("");
        return (result, address(this));
    }

    function reverseWithGateways(bytes calldata account, uint256 coinType, string[] calldata)
        external
        view
        returns (string memory, address, address)
    {
        string memory name = primaries[account][coinType];
        if (bytes(name).length == 0) revert ResolverNotFound(account);
        bytes memory forward = records[dnsOf(name)][coinType];
        if (keccak256(forward) != keccak256(account)) revert ReverseAddressMismatch(name, forward);
        return (name, address(this), address(this));
    }

    function coinTypeOf(bytes calldata data) private pure returns (uint256 coinType) {
        (, coinType) = abi.decode(data[4:], (bytes32, uint256));
    }

    function signerOf(bytes32 digest, bytes memory signature) private pure returns (address) {
        (bytes32 r, bytes32 s, uint8 v) = abi.decode(signature, (bytes32, bytes32, uint8));
        return ecrecover(digest, v, r, s);
    }

    function dnsOf(string memory name) private pure returns (bytes memory dns) {
        bytes memory text = bytes(name);
        dns = new bytes(text.length + 2);
        uint256 start = 0;
        for (uint256 at = 0; at <= text.length; at++) {
            if (at < text.length && text[at] != ".") {
                dns[at + 1] = text[at];
                continue;
            }
            dns[start] = bytes1(uint8(at - start));
            start = at + 1;
        }
    }
}
