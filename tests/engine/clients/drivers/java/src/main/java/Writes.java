import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigInteger;
import java.util.Map;
import org.web3j.crypto.Credentials;
import org.web3j.protocol.Web3j;
import org.web3j.protocol.core.DefaultBlockParameterName;
import org.web3j.protocol.core.methods.response.TransactionReceipt;
import org.web3j.tx.RawTransactionManager;
import org.web3j.tx.response.PollingTransactionReceiptProcessor;

/** The steps that send transactions. */
final class Writes {
    private static final BigInteger GAS = BigInteger.valueOf(1_000_000);

    private final Web3j web3j;
    private final JsonNode facts;
    private final String richest;
    private final long chainId = Long.parseLong(System.getenv("CHAIN_ID"));
    private final Credentials sender = Credentials.create(System.getenv("PRIVATE_KEY"));

    Writes(Web3j web3j, JsonNode facts) {
        this.web3j = web3j;
        this.facts = facts;
        this.richest = facts.get("richest").asText();
    }

    void run() throws Exception {
        Steps.does("sendAndWait", () -> receiptOf(sent(richest, "", BigInteger.ONE)));
        Steps.does("deploy", () -> receiptOf(sent(null, facts.get("probeBytecode").asText(), BigInteger.ZERO)));
        Steps.does("pendingNonce", this::pendingNonce);
        Steps.does("filter", this::filter);
        sends("sendNonceTooLow", "nonceTooLow");
        sends("sendTooPoor", "tooPoor");
        sends("sendTipAboveCap", "tipAboveCap");
        sends("blobTransactionRefused", "blob");
    }

    private void sends(String step, String name) throws Exception {
        String raw = facts.at("/raw/" + name).asText();
        Steps.does(step, () -> Steps.ask(web3j.ethSendRawTransaction(raw)).getTransactionHash());
    }

    private Object pendingNonce() throws Exception {
        String hash = sent(richest, "", BigInteger.ONE);
        BigInteger nonce =
                Steps.ask(web3j.ethGetTransactionCount(sender.getAddress(), DefaultBlockParameterName.PENDING))
                        .getTransactionCount();
        receiptOf(hash);
        return nonce;
    }

    private Object filter() throws Exception {
        BigInteger filter = Steps.ask(web3j.ethNewBlockFilter()).getFilterId();
        receiptOf(sent(richest, "", BigInteger.ONE));
        return Steps.ask(web3j.ethGetFilterChanges(filter)).getLogs().size();
    }

    /** With the transaction manager of web3j contracts. The caller chooses the fees. */
    private String sent(String to, String data, BigInteger value) throws Exception {
        BigInteger tip = Steps.ask(web3j.ethMaxPriorityFeePerGas()).getMaxPriorityFeePerGas();
        BigInteger base =
                Steps.ask(web3j.ethGetBlockByNumber(DefaultBlockParameterName.LATEST, false))
                        .getBlock()
                        .getBaseFeePerGas();
        BigInteger cap = base.add(base).add(tip);
        RawTransactionManager manager = new RawTransactionManager(web3j, sender, chainId);
        return Steps.checked(manager.sendEIP1559Transaction(chainId, tip, cap, GAS, to, data, value, to == null))
                .getTransactionHash();
    }

    private Object receiptOf(String hash) throws Exception {
        TransactionReceipt receipt =
                new PollingTransactionReceiptProcessor(web3j, 200, 150).waitForTransactionReceipt(hash);
        return Map.of("status", receipt.getStatus(), "gasUsed", receipt.getGasUsed());
    }
}
