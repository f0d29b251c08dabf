//! Input and output of drivers: see tests/clients/README.md.

use std::{env, fs};

use alloy::{
    primitives::{Address, B256, Bytes},
    providers::PendingTransactionError,
    transports::{RpcError, TransportError, TransportErrorKind},
};
use serde_json::{Value, json};

pub struct Facts(Value);

impl Facts {
    pub fn read() -> Self {
        let text = fs::read_to_string(var("FACTS")).expect("FACTS names a file");
        Self(serde_json::from_str(&text).expect("FACTS is JSON"))
    }

    pub fn address(&self, name: &str) -> Address {
        self.text(&format!("/{name}")).parse().expect("an address")
    }

    pub fn hash(&self, path: &str) -> B256 {
        self.text(path).parse().expect("a hash")
    }

    pub fn bytes(&self, path: &str) -> Bytes {
        self.text(path).parse().expect("bytes")
    }

    pub fn number(&self, path: &str) -> u64 {
        self.0
            .pointer(path)
            .and_then(Value::as_u64)
            .expect("a number")
    }

    fn text(&self, path: &str) -> &str {
        self.0.pointer(path).and_then(Value::as_str).expect("text")
    }
}

pub fn var(name: &str) -> String {
    env::var(name).unwrap_or_else(|_| panic!("{name} is not set"))
}

/// The error that user code can match on.
pub struct Problem(Value);

/// Runs one step and prints its result.
pub async fn does<T: serde::Serialize>(step: &str, act: impl Future<Output = Result<T, Problem>>) {
    if env::var("STEPS").is_ok_and(|steps| !steps.split(',').any(|wanted| wanted == step)) {
        return;
    }
    let line = match act.await {
        Ok(value) => json!({ "step": step, "ok": true, "value": value }),
        Err(Problem(error)) => json!({ "step": step, "ok": false, "error": error }),
    };
    println!("{line}");
}

impl From<TransportError> for Problem {
    fn from(error: TransportError) -> Self {
        let (kind, code) = match &error {
            RpcError::ErrorResp(payload) => ("RpcError::ErrorResp", Some(payload.code)),
            RpcError::NullResp => ("RpcError::NullResp", None),
            RpcError::DeserError { .. } => ("RpcError::DeserError", None),
            RpcError::Transport(TransportErrorKind::HttpError(http)) => {
                ("TransportErrorKind::HttpError", Some(http.status.into()))
            }
            RpcError::Transport(_) => ("RpcError::Transport", None),
            _ => ("RpcError", None),
        };
        // The answer id differs in each run.
        let message = error.to_string();
        let told = message.split(", data: {\"reason\"").next();
        Self(json!({ "type": kind, "code": code, "message": told }))
    }
}

impl From<PendingTransactionError> for Problem {
    fn from(error: PendingTransactionError) -> Self {
        Self(
            json!({ "type": "PendingTransactionError", "code": null, "message": error.to_string() }),
        )
    }
}
