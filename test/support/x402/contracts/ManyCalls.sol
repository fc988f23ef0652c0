// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

/// Several questions in one call. Chains have such a contract at one known address, and the
/// facilitator asks it why a payment cannot go through; without it, every reason is the same.
contract ManyCalls {
    struct Call {
        address target;
        bytes callData;
    }

    struct Result {
        bool success;
        bytes returnData;
    }

    function tryAggregate(bool requireSuccess, Call[] calldata calls)
        external
        payable
        returns (Result[] memory results)
    {
        results = new Result[](calls.length);
        for (uint256 at = 0; at < calls.length; at++) {
            (bool success, bytes memory returnData) = calls[at].target.call(calls[at].callData);
            require(success || !requireSuccess, "a call failed");
            results[at] = Result(success, returnData);
        }
    }
}
