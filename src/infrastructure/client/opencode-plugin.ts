/** A plugin of opencode that asks our policy before its own tools; whatever goes wrong refuses the call. */
export function opencodePlugin(command: readonly string[], tools: readonly string[]): string {
  return `// Written by \`castellan install opencode --hooks\`; \`castellan uninstall opencode\` takes it away.
// Asks Castellan's policy before opencode uses a file or shell tool of its own. No answer refuses the call.
import { spawn } from "node:child_process";

const [program, ...args] = ${JSON.stringify(command)};
const judged = new Set(${JSON.stringify(tools)});

function ask(question, cwd) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, stdio: ["pipe", "pipe", "pipe"], timeout: 10_000, killSignal: "SIGKILL" });
    let answer = "";
    let problem = "";
    child.stdout.on("data", (part) => (answer += part));
    child.stderr.on("data", (part) => (problem += part));
    child.on("error", reject);
    child.stdin.on("error", () => undefined);
    child.on("close", (code) =>
      code === 0 ? resolve(answer) : reject(new Error(problem || "Castellan's hook ended without an answer.")),
    );
    child.stdin.end(JSON.stringify(question));
  });
}

export const Castellan = async ({ directory }) => ({
  "tool.execute.before": async (input, output) => {
    if (!judged.has(input.tool)) return;
    const question = { tool: input.tool, session: input.sessionID, cwd: directory, args: output.args };
    const { decision, reason } = JSON.parse(await ask(question, directory));
    if (decision !== "allow") throw new Error(reason || "Castellan refused this call.");
  },
});
`;
}
