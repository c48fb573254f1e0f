import type { JudgeCallQuery, Judgement } from '../../application/tool/judge-call.js';
import type { HookClient } from '../../domain/client/mcp-client.js';
import { isJsonObject } from '../../domain/json-value.js';
import { CONTRACTS, type HookAnswer, type HookContract, type OwnCall } from './hook-contract.js';
import { type JudgedAs, readOwnCall } from './own-tools.js';

type Judge = (query: JudgeCallQuery) => Promise<Judgement>;

const MAX_SESSION = 100;
const NOT_SANDBOXED =
  "Castellan's policy judged this command and does not contain it: only its execute_command runs in a sandbox.";
const CANNOT_ASK =
  'This client cannot ask for it here. Use the tool of Castellan that does the same, or ask the user to do it.';

/** What the client's hook answers about the call on its standard input. Whatever cannot be understood is refused. */
export async function answerHook(client: HookClient, input: string, judge: Judge): Promise<HookAnswer> {
  const contract = CONTRACTS[client];
  const given = parseInput(input);
  if (given === undefined)
    return refusal('The hook was given no JSON object, so nothing can be judged. The call is refused.');
  const call = contract.read(given);
  if (call === undefined) return printed(contract.allow());
  const reading = readOwnCall(client, call);
  if (reading === undefined) return printed(contract.allow());
  if ('problem' in reading)
    return denied(contract, `${call.tool} cannot be judged. ${reading.problem} ${OURS}`);
  const judgements: Judgement[] = [];
  // One after the other: the audit has them in the order of the call.
  for (const one of reading.calls) judgements.push(await judge(queryOf(client, call, one)));
  return answerOf(contract, call, judgements, reading.calls);
}

const OURS = 'Use the tool of Castellan that does the same.';

/** For the person at the client, if no answer can be found: 2 with text refuses the call in every contract. */
export function refusal(message: string): HookAnswer {
  return { code: 2, stdout: '', stderr: `${message}\n` };
}

function queryOf(client: HookClient, { session, tool: ownTool }: OwnCall, one: JudgedAs): JudgeCallQuery {
  // It is printed and kept: only what a name may have.
  const name = session.replaceAll(/[^\w.-]/g, '').slice(0, MAX_SESSION);
  const { tool, arguments: args, everythingBelow } = one;
  return {
    sessionId: `${client}:${name || '-'}`,
    client,
    ownTool,
    tool,
    arguments: args,
    ...(everythingBelow && { everythingBelow }),
  };
}

/** The strictest of all counts. */
function answerOf(
  contract: HookContract,
  call: OwnCall,
  judgements: readonly Judgement[],
  calls: readonly JudgedAs[],
): HookAnswer {
  const runs = calls.some(({ tool }) => tool === 'execute_command');
  const remark = runs ? NOT_SANDBOXED : undefined;
  const told = (message: string) => (remark === undefined ? message : `${message} ${remark}`);
  for (const judgement of judgements)
    if (judgement.effect === 'deny') return denied(contract, told(judgement.message));
  for (const judgement of judgements) {
    if (judgement.effect !== 'ask') continue;
    const question = contract.ask(told(judgement.message), call);
    return question === undefined
      ? denied(contract, `${judgement.message} ${CANNOT_ASK}`)
      : printed(question);
  }
  return printed(contract.allow(remark));
}

function denied(contract: HookContract, message: string): HookAnswer {
  return printed(contract.deny(`Castellan: ${message}`));
}

function printed(answer: object): HookAnswer {
  return { code: 0, stdout: `${JSON.stringify(answer)}\n`, stderr: '' };
}

function parseInput(input: string) {
  try {
    const value: unknown = JSON.parse(input);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
