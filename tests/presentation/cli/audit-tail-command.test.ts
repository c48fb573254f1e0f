import { expect } from 'chai';
import { describe, it } from 'mocha';
import { type AuditTailRecord, TailAuditHandler } from '../../../src/application/audit/tail-audit.js';
import { Result } from '../../../src/domain/result.js';
import { auditTailCommand } from '../../../src/presentation/cli/audit-tail-command.js';
import { parseSince } from '../../../src/presentation/cli/program/option-values.js';
import { MemoryOutput } from '../../support/memory-output.js';

const START = Date.parse('2026-01-31T12:00:00.000Z');
const record = (second: number, caller: string, tool: string): AuditTailRecord => ({
  n: second,
  kind: 'outcome',
  time: new Date(START + second * 1000).toISOString(),
  caller,
  tool,
});

/** A log in two segments, to which a test may add. */
function logOf(...records: readonly AuditTailRecord[]) {
  const lines = records.map((one) => JSON.stringify(one));
  const segment = (own: () => readonly string[]) => ({
    name: 'x',
    present: true,
    head: undefined,
    lines: async function* () {
      for (const text of own()) yield { text, fragment: false };
    },
    lastLines: async (count: number) => own().slice(-count),
  });
  const segments = [
    segment(() => lines.filter((_, n) => n % 2 === 0)),
    segment(() => lines.filter((_, n) => n % 2 === 1)),
  ];
  const handler = new TailAuditHandler({
    open: async () => Result.ok({ single: false, seal: () => '', segments }),
  });
  return { lines, tail: handler.handle.bind(handler) };
}

const STILL = { now: () => START, wait: async () => false };
const numbers = ({ stdout }: MemoryOutput) =>
  stdout
    .trimEnd()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line).n);

describe('castellan audit tail', () => {
  const calls = [
    record(1, 'red', 'echo'),
    record(2, 'blue', 'echo'),
    record(3, 'red', 'read_file'),
    record(4, 'blue', 'read_file'),
    record(5, 'red', 'echo'),
  ];

  const cases = [
    [{ count: '2' }, [4, 5]],
    [{ caller: 'red' }, [1, 3, 5]],
    [{ caller: 'red', tool: 'echo' }, [1, 5]],
    [{ caller: 'red', count: '1' }, [5]],
    [{ since: START + 3000 }, [3, 4, 5]],
    [{ tool: 'echo', since: START + 2000 }, [2, 5]],
    [{ caller: 'nobody' }, []],
  ] as const;
  for (const [options, expected] of cases) {
    it(`shows ${JSON.stringify(expected)} with ${JSON.stringify(options)}`, async () => {
      const output = new MemoryOutput();
      const code = await auditTailCommand(
        logOf(...calls).tail,
        undefined,
        { ...options, json: true },
        output,
        STILL,
      );
      expect(code).to.equal(0);
      expect(numbers(output)).to.deep.equal(expected);
    });
  }

  it('follows what comes, each record once, those that come late too', async () => {
    const { lines, tail } = logOf(...calls);
    const output = new MemoryOutput();
    const rounds = [
      [record(11, 'red', 'echo'), record(12, 'blue', 'echo')],
      [],
      [record(10, 'red', 'echo'), record(14, 'red', 'echo')],
    ];
    let now = START + 10_000;
    const clock = {
      now: () => now,
      wait: async () => {
        const round = rounds.shift();
        for (const one of round ?? []) lines.push(JSON.stringify(one));
        now += 1000;
        return round !== undefined;
      },
    };
    const options = { caller: 'red', follow: true, json: true };
    expect(await auditTailCommand(tail, undefined, options, output, clock)).to.equal(0);
    expect(numbers(output)).to.deep.equal([1, 3, 5, 11, 10, 14]);
  });

  it('takes a time ago or a date', () => {
    expect(parseSince('15m', undefined, START)).to.equal(START - 15 * 60_000);
    expect(parseSince('7d', undefined, START)).to.equal(START - 7 * 86_400_000);
    expect(parseSince('2026-01-31T12:00:00Z')).to.equal(START);
    for (const wrong of ['', 'yesterday', '5', '1w', '-3h']) expect(() => parseSince(wrong)).to.throw('7d');
  });
});
