//! All steps of tests/clients/README.md with alloy's provider.

mod steps;
mod writes;

use std::env;

use alloy::{
    eips::{BlockId, BlockNumberOrTag},
    network::TransactionBuilder,
    primitives::{Address, B256, U64, U256},
    providers::{Provider, ProviderBuilder},
    rpc::client::BatchRequest,
    rpc::types::{Filter, TransactionRequest},
    signers::local::PrivateKeySigner,
};
use steps::{Facts, Problem, does, var};

#[tokio::main]
async fn main() {
    let facts = Facts::read();
    let signer: PrivateKeySigner = var("PRIVATE_KEY").parse().expect("a key");
    let sender = signer.address();
    let provider = ProviderBuilder::new()
        .wallet(signer)
        .connect_http(var("RPC_URL").parse().expect("a URL"));
    state(&provider, &facts).await;
    calls(&provider, &facts).await;
    chain(&provider, &facts).await;
    writes::writes(&provider, &facts, sender).await;
}

async fn state(provider: &impl Provider, facts: &Facts) {
    let (richest, probe) = (facts.address("richest"), facts.address("probe"));
    let who = if env::var("STEPS").is_ok() {
        facts.address("stranger")
    } else {
        richest
    };
    let above = BlockId::number(facts.number("/head") + 1000);
    does("chainId", async { Ok(provider.get_chain_id().await?) }).await;
    does("blockNumber", async {
        Ok(provider.get_block_number().await?)
    })
    .await;
    does("balance", async { Ok(provider.get_balance(who).await?) }).await;
    does("nonce", async {
        Ok(provider.get_transaction_count(richest).await?)
    })
    .await;
    does("code", async {
        Ok(provider.get_code_at(facts.address("token")).await?)
    })
    .await;
    does("storage", async {
        Ok(provider.get_storage_at(probe, U256::ZERO).await?)
    })
    .await;
    does("stateAboveHead", async {
        Ok(provider.get_balance(richest).block_id(above).await?)
    })
    .await;
    does("proof", async {
        let at = BlockId::number(facts.number("/block/number"));
        Ok(provider
            .get_proof(probe, vec![B256::ZERO])
            .block_id(at)
            .await?)
    })
    .await;
    does("accounts", async { Ok(provider.get_accounts().await?) }).await;
    does("sha3", async { Ok(provider.get_sha3(&[1]).await?) }).await;
    does("netVersion", async {
        Ok(provider.get_net_version().await?)
    })
    .await;
    does("syncing", async { Ok(provider.syncing().await?) }).await;
    does("unknownMethod", async {
        Ok(provider
            .raw_request::<_, U64>("quorate_nothing".into(), ())
            .await?)
    })
    .await;
    does("batch", balances(provider)).await;
}

async fn calls(provider: &impl Provider, facts: &Facts) {
    let asked = |name: &str| {
        TransactionRequest::default()
            .with_from(facts.address("richest"))
            .with_to(facts.address("probe"))
            .with_input(facts.bytes(&format!("/calls/{name}")))
    };
    for (step, name) in [
        ("call", "value"),
        ("callReverts", "reverts"),
        ("callPanics", "panics"),
        ("callCustomError", "refuses"),
    ] {
        does(step, async { Ok(provider.call(asked(name)).await?) }).await;
    }
    let coins = TransactionRequest::default()
        .with_from(facts.address("richest"))
        .with_to(facts.address("stranger"))
        .with_value(U256::ONE);
    does("estimate", async {
        Ok(provider.estimate_gas(coins).await?)
    })
    .await;
    does("estimateReverts", async {
        Ok(provider.estimate_gas(asked("reverts")).await?)
    })
    .await;
    does("estimateOutOfGas", async {
        Ok(provider.estimate_gas(asked("burns")).await?)
    })
    .await;
    does("accessList", async {
        Ok(provider.create_access_list(&asked("value")).await?)
    })
    .await;
}

async fn chain(provider: &impl Provider, facts: &Facts) {
    let (number, head) = (facts.number("/block/number"), facts.number("/head"));
    let above = head + 1000;
    let (transfer, missing) = (facts.hash("/transfer"), facts.hash("/missing"));
    does("blockByNumber", async {
        Ok(provider.get_block_by_number(number.into()).await?)
    })
    .await;
    does("blockByHash", async {
        Ok(provider
            .get_block_by_hash(facts.hash("/block/hash"))
            .full()
            .await?)
    })
    .await;
    does("blockAboveHead", async {
        Ok(provider.get_block_by_number(above.into()).await?)
    })
    .await;
    does("blockReceiptsAboveHead", async {
        Ok(provider.get_block_receipts(BlockId::number(above)).await?)
    })
    .await;
    does("transaction", async {
        Ok(provider.get_transaction_by_hash(transfer).await?)
    })
    .await;
    does("transactionMissing", async {
        Ok(provider.get_transaction_by_hash(missing).await?)
    })
    .await;
    does("receipt", async {
        Ok(provider.get_transaction_receipt(transfer).await?)
    })
    .await;
    does("receiptMissing", async {
        Ok(provider.get_transaction_receipt(missing).await?)
    })
    .await;
    let token = Filter::new().address(facts.address("token"));
    let beyond = Filter::new().from_block(head).to_block(above);
    let inverted = Filter::new().from_block(head).to_block(1u64);
    for (step, filter) in [
        ("logs", token.from_block(0u64).to_block(head)),
        ("logsBeyondHead", beyond),
        ("logsInverted", inverted),
        ("logsUnknownBlock", Filter::new().at_block_hash(missing)),
    ] {
        does(step, async { Ok(provider.get_logs(&filter).await?) }).await;
    }
    does("feeHistoryLong", async {
        Ok(provider
            .get_fee_history(1025, BlockNumberOrTag::Latest, &[])
            .await?)
    })
    .await;
    does("feeHistory", async {
        Ok(provider
            .get_fee_history(4, BlockNumberOrTag::Number(number), &[25.0, 75.0])
            .await?)
    })
    .await;
    does("gasPrice", async { Ok(provider.get_gas_price().await?) }).await;
    does("priorityFee", async {
        Ok(provider.get_max_priority_fee_per_gas().await?)
    })
    .await;
    does("blobBaseFee", async {
        Ok(provider.get_blob_base_fee().await?)
    })
    .await;
}

/// 150 balances in one batch.
async fn balances(provider: &impl Provider) -> Result<usize, Problem> {
    let mut batch = BatchRequest::new(provider.client());
    let mut waiting = Vec::new();
    for index in 1..=150u8 {
        let who = Address::left_padding_from(&[0xd0, index]);
        waiting.push(batch.add_call::<_, U256>("eth_getBalance", &(who, "latest"))?);
    }
    batch.send().await?;
    for answer in waiting.iter_mut() {
        answer.await?;
    }
    Ok(waiting.len())
}
