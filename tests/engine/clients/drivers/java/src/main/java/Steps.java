import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.File;
import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.web3j.protocol.core.Request;
import org.web3j.protocol.core.Response;

/** Input and output of drivers: see tests/clients/README.md. */
final class Steps {
    /** Serializes fields instead of getters, because some getters throw on missing fields. */
    private static final ObjectMapper JSON =
            new ObjectMapper()
                    .setVisibility(PropertyAccessor.ALL, Visibility.NONE)
                    .setVisibility(PropertyAccessor.FIELD, Visibility.ANY)
                    .disable(SerializationFeature.FAIL_ON_EMPTY_BEANS);

    private Steps() {}

    interface Act {
        Object run() throws Exception;
    }

    /** The error of the node. web3j does not throw it, so users must check for it. */
    static final class Refused extends Exception {
        final Response.Error error;

        Refused(Response.Error error) {
            super(error.getMessage());
            this.error = error;
        }
    }

    static JsonNode facts() throws IOException {
        return JSON.readTree(new File(System.getenv("FACTS")));
    }

    /** Runs one step and prints its result. */
    static void does(String step, Act act) throws IOException {
        String wanted = System.getenv("STEPS");
        if (wanted != null && !Arrays.asList(wanted.split(",")).contains(step)) return;
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("step", step);
        try {
            line.put("value", act.run());
            line.put("ok", true);
        } catch (Exception thrown) {
            line.put("error", described(thrown));
            line.put("ok", false);
        }
        System.out.println(JSON.writeValueAsString(line));
    }

    static <Answer extends Response<?>> Answer ask(Request<?, Answer> request) throws Exception {
        return checked(request.send());
    }

    static <Answer extends Response<?>> Answer checked(Answer answer) throws Refused {
        if (answer.hasError()) throw new Refused(answer.getError());
        return answer;
    }

    private static Map<String, Object> described(Exception thrown) {
        Map<String, Object> told = new LinkedHashMap<>();
        if (thrown instanceof Refused refused) {
            String data = refused.error.getData();
            boolean isHex = data != null && data.startsWith("\"0x");
            told.put("type", "Response.Error");
            told.put("code", refused.error.getCode());
            told.put("message", isHex ? thrown.getMessage() + " (data " + data + ")" : thrown.getMessage());
        } else {
            told.put("type", thrown.getClass().getName());
            told.put("code", null);
            told.put("message", String.valueOf(thrown.getMessage()));
        }
        return told;
    }
}
