import type { JudgeCallQuery, Judgement } from '../../application/call/pipeline/judge-call.js';
import type { HookClient } from '../../domain/client/mcp-client.js';
import { isJsonObject } from '../../domain/json-value.js';
import { CONTRACTS, type HookAnswer, type HookContract, type OwnCall } from './hook-contract.js';
import { type JudgedAs, readOwnCall } from './own-tools.js';

type Judge = (query: JudgeCallQuery) => Promise<Judgement>;

const MAX_SESSION = 100;
const NOT_SANDBOXED =
  "Castellan's policy judged this command and does not contain it: only its execute_command runs in a sandbox.";

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
  for (const one of reading.calls)
    judgements.push(await judge(queryOf(client, call, one, contract.asks(call))));
  return answerOf(contract, judgements, reading.calls);
}

const OURS = 'Use the tool of Castellan that does the same.';

/** For the person at the client, if no answer can be found: 2 with text refuses the call in every contract. */
export function refusal(message: string): HookAnswer {
  return { code: 2, stdout: '', stderr: `${message}\n` };
}

function queryOf(
  client: HookClient,
  { session, tool: ownTool }: OwnCall,
  one: JudgedAs,
  asks: boolean,
): JudgeCallQuery {
  // It is printed and kept: only what a name may have.
  const name = session.replaceAll(/[^\w.-]/g, '').slice(0, MAX_SESSION);
  const { tool, arguments: args, everythingBelow } = one;
  return {
    sessionId: `${client}:${name || '-'}`,
    client,
    ownTool,
    tool,
    arguments: args,
    asks,
    ...(everythingBelow && { everythingBelow }),
  };
}

/** The strictest of all counts. */
function answerOf(
  contract: HookContract,
  judgements: readonly Judgement[],
  calls: readonly JudgedAs[],
): HookAnswer {
  const remark = calls.some(({ tool }) => tool === 'execute_command') ? NOT_SANDBOXED : undefined;
  const told = (message: string) => (remark === undefined ? message : `${message} ${remark}`);
  const [strictest] = judgements.toSorted((one, other) => STRICTNESS[other.effect] - STRICTNESS[one.effect]);
  switch (strictest?.effect) {
    case 'deny':
      return denied(contract, told(strictest.message));
    case 'ask':
      return printed(contract.ask(`Castellan: ${told(strictest.message)}`));
    case 'allow':
    case undefined:
      return printed(contract.allow(remark));
  }
}

const STRICTNESS: Readonly<Record<Judgement['effect'], number>> = { allow: 0, ask: 1, deny: 2 };

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
