import { writeSync } from 'node:fs';
import { JsonlAuditLog } from '../../src/infrastructure/observability/jsonl-audit-log.js';
import { builtinRedactor } from '../../src/infrastructure/observability/redaction.js';

/** A process of its own that records calls: `audit-writer STATE COUNT`; without a count until it is killed. */
const [, , stateFolder = '', count = 'Infinity'] = process.argv;
const log = new JsonlAuditLog({ stateFolder, flushAfterMs: 5 }, builtinRedactor);
for (let index = 0; index < Number(count); index += 1) {
  const at = Date.now();
  const call = {
    correlationId: `${process.pid}-${index}`,
    sessionId: 's',
    caller: { id: 'local', transport: 'stdio' as const },
    tool: 'write_file',
    arguments: { path: `file-${index}`, content: 'x'.repeat(index % 500) },
    argumentDetail: 'full' as const,
    decision: { effect: 'allow' as const },
  };
  const intent = await log.intent({ at, call, required: index % 50 === 0 });
  if (!intent.success) throw new Error(intent.error);
  const outcome = { kind: 'success' as const, durationMs: 0.1, bytes: 1 };
  const recorded = await log.outcome({ at, call, outcome, ticket: intent.value });
  if (!recorded.success) throw new Error(recorded.error);
  if (index === 20) writeSync(1, 'writing\n');
  if (index % 20 === 0) await new Promise((resolve) => setImmediate(resolve));
}
await log.close();
