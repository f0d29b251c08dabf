import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigInteger;
import java.util.List;
import org.web3j.protocol.Web3j;
import org.web3j.protocol.core.BatchRequest;
import org.web3j.protocol.core.DefaultBlockParameter;
import org.web3j.protocol.core.DefaultBlockParameterName;
import org.web3j.protocol.core.Request;
import org.web3j.protocol.core.Response;
import org.web3j.protocol.core.methods.request.EthFilter;
import org.web3j.protocol.core.methods.request.Transaction;
import org.web3j.protocol.core.methods.response.EthAccounts;
import org.web3j.protocol.http.HttpService;

/** All steps of tests/clients/README.md with web3j. */
final class Driver {
    private static final DefaultBlockParameter LATEST = DefaultBlockParameterName.LATEST;

    private final HttpService service = new HttpService(System.getenv("RPC_URL"));
    private final Web3j web3j = Web3j.build(service);
    private final JsonNode facts = Steps.facts();
    private final String richest = facts.get("richest").asText();
    private final String stranger = facts.get("stranger").asText();
    private final String token = facts.get("token").asText();
    private final String probe = facts.get("probe").asText();
    private final long head = facts.get("head").asLong();
    private final long block = facts.at("/block/number").asLong();

    private Driver() throws Exception {}

    public static void main(String[] args) throws Exception {
        Driver driver = new Driver();
        driver.state();
        driver.calls();
        driver.chain();
        new Writes(driver.web3j, driver.facts).run();
        // Its HTTP client keeps threads alive for a minute.
        System.exit(0);
    }

    private void state() throws Exception {
        String who = System.getenv("STEPS") == null ? richest : stranger;
        asks("chainId", web3j.ethChainId());
        asks("blockNumber", web3j.ethBlockNumber());
        asks("balance", web3j.ethGetBalance(who, LATEST));
        asks("nonce", web3j.ethGetTransactionCount(richest, LATEST));
        asks("code", web3j.ethGetCode(token, LATEST));
        asks("storage", web3j.ethGetStorageAt(probe, BigInteger.ZERO, LATEST));
        asks("stateAboveHead", web3j.ethGetBalance(richest, at(head + 1000)));
        asks("proof", web3j.ethGetProof(probe, List.of("0x" + "00".repeat(32)), hex(block)));
        asks("accounts", web3j.ethAccounts());
        asks("sha3", web3j.web3Sha3("0x01"));
        asks("peerCount", web3j.netPeerCount());
        asks("listening", web3j.netListening());
        asks("netVersion", web3j.netVersion());
        asks("syncing", web3j.ethSyncing());
        asks("unknownMethod", new Request<>("quorate_nothing", List.<String>of(), service, EthAccounts.class));
        Steps.does("batch", this::balances);
    }

    private void calls() throws Exception {
        asks("call", web3j.ethCall(asked("value"), LATEST));
        asks("callReverts", web3j.ethCall(asked("reverts"), LATEST));
        asks("callPanics", web3j.ethCall(asked("panics"), LATEST));
        asks("callCustomError", web3j.ethCall(asked("refuses"), LATEST));
        asks("estimate", web3j.ethEstimateGas(
                Transaction.createEtherTransaction(richest, null, null, null, stranger, BigInteger.ONE)));
        asks("estimateReverts", web3j.ethEstimateGas(asked("reverts")));
        asks("estimateOutOfGas", web3j.ethEstimateGas(asked("burns")));
    }

    private void chain() throws Exception {
        String transfer = facts.get("transfer").asText();
        String missing = facts.get("missing").asText();
        asks("blockByNumber", web3j.ethGetBlockByNumber(at(block), false));
        asks("blockByHash", web3j.ethGetBlockByHash(facts.at("/block/hash").asText(), true));
        asks("blockAboveHead", web3j.ethGetBlockByNumber(at(head + 1000), false));
        asks("blockReceipts", web3j.ethGetBlockReceipts(at(block)));
        asks("blockReceiptsAboveHead", web3j.ethGetBlockReceipts(at(head + 1000)));
        asks("transaction", web3j.ethGetTransactionByHash(transfer));
        asks("transactionMissing", web3j.ethGetTransactionByHash(missing));
        asks("receipt", web3j.ethGetTransactionReceipt(transfer));
        asks("receiptMissing", web3j.ethGetTransactionReceipt(missing));
        asks("logs", web3j.ethGetLogs(new EthFilter(at(0), at(head), token)));
        asks("logsBeyondHead", web3j.ethGetLogs(new EthFilter(at(head), at(head + 1000), List.of())));
        asks("logsInverted", web3j.ethGetLogs(new EthFilter(at(head), at(1), List.of())));
        asks("feeHistory", web3j.ethFeeHistory(4, at(block), List.of(25.0, 75.0)));
        asks("feeHistoryLong", web3j.ethFeeHistory(1025, LATEST, List.of()));
        asks("logsUnknownBlock", web3j.ethGetLogs(new EthFilter(missing)));
        asks("gasPrice", web3j.ethGasPrice());
        asks("priorityFee", web3j.ethMaxPriorityFeePerGas());
    }

    private Object balances() throws Exception {
        BatchRequest batch = web3j.newBatch();
        for (int index = 1; index <= 150; index++)
            batch.add(web3j.ethGetBalance("0xd0" + String.format("%038x", index), LATEST));
        List<? extends Response<?>> answers = batch.send().getResponses();
        for (Response<?> answer : answers) Steps.checked(answer);
        return answers.size();
    }

    private void asks(String step, Request<?, ? extends Response<?>> request) throws Exception {
        Steps.does(step, () -> Steps.ask(request).getResult());
    }

    private Transaction asked(String name) {
        return Transaction.createEthCallTransaction(richest, probe, facts.at("/calls/" + name).asText());
    }

    private static DefaultBlockParameter at(long number) {
        return DefaultBlockParameter.valueOf(BigInteger.valueOf(number));
    }

    private static String hex(long number) {
        return "0x" + Long.toHexString(number);
    }
}
