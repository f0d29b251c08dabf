use alloy::{
    network::TransactionBuilder,
    primitives::{Address, B256, U256},
    providers::Provider,
    rpc::types::{TransactionReceipt, TransactionRequest},
};
use serde_json::{Value, json};

use crate::steps::{Facts, Problem, does};

pub async fn writes(provider: &impl Provider, facts: &Facts, sender: Address) {
    let coins = || {
        TransactionRequest::default()
            .with_to(facts.address("richest"))
            .with_value(U256::ONE)
    };
    does("sendAndWait", async {
        Ok(outcome(&receipt_of(provider, coins()).await?))
    })
    .await;
    does("deploy", async {
        let code = facts.bytes("/probeBytecode");
        let receipt = receipt_of(
            provider,
            TransactionRequest::default().with_deploy_code(code),
        )
        .await?;
        Ok(json!({ "contract": receipt.contract_address, "outcome": outcome(&receipt) }))
    })
    .await;
    does("pendingNonce", async {
        let sent = provider.send_transaction(coins()).await?;
        let nonce = provider.get_transaction_count(sender).pending().await?;
        sent.get_receipt().await?;
        Ok(nonce)
    })
    .await;
    does("filter", async {
        let filter = provider.new_block_filter().await?;
        receipt_of(provider, coins()).await?;
        Ok(provider.get_filter_changes::<B256>(filter).await?.len())
    })
    .await;
    for (step, name) in [
        ("sendNonceTooLow", "nonceTooLow"),
        ("sendTooPoor", "tooPoor"),
        ("sendTipAboveCap", "tipAboveCap"),
        ("blobTransactionRefused", "blob"),
    ] {
        let raw = facts.bytes(&format!("/raw/{name}"));
        does(step, async {
            Ok(*provider.send_raw_transaction(&raw).await?.tx_hash())
        })
        .await;
    }
}

async fn receipt_of(
    provider: &impl Provider,
    transaction: TransactionRequest,
) -> Result<TransactionReceipt, Problem> {
    Ok(provider
        .send_transaction(transaction)
        .await?
        .get_receipt()
        .await?)
}

fn outcome(receipt: &TransactionReceipt) -> Value {
    json!({ "status": receipt.status(), "gasUsed": receipt.gas_used })
}
