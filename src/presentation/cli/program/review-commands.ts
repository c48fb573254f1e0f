import type { AuditExportOptions, AuditPruneOptions } from '../audit-archive-command.js';
import type { AuditTailOptions } from '../audit-tail-command.js';
import type { Building } from './building.js';
import type { JsonOption } from './command-actions.js';
import { parseSince } from './option-values.js';

/** Commands for the policy, trust and the audit log. */
export function addReview(building: Building): void {
  addPolicy(building);
  addAudit(building);
}

function addPolicy({ program, actions, run, where }: Building): void {
  const policy = program
    .command('policy')
    .description('check the policy, or explain its decision on a call')
    .helpCommand(false);
  policy
    .command('check')
    .description('check schema and rules, run its tests, and print what it grants')
    .argument('[file]', 'a policy file (default: the active one)')
    .option('--json', 'as JSON')
    .action(
      run((file: string | undefined, options: JsonOption) => actions.policyCheck(where(), file, options)),
    );
  policy
    .command('explain')
    .description('show the decision on a call, the deciding rule, and each step')
    .argument('<tool>', 'the name of a tool')
    .argument('[json]', 'its arguments as a JSON object, or - to read them from standard input', '{}')
    .option('--json', 'as JSON')
    .action(
      run((tool: string, json: string, options: JsonOption) =>
        actions.policyExplain(where(), tool, json, options),
      ),
    );
}

function addAudit({ program, actions, run }: Building): void {
  const audit = program
    .command('audit')
    .description('check, show or archive the record of calls')
    .helpCommand(false);
  audit
    .command('verify')
    .description('check that nothing was changed, removed or cut')
    .argument('[file]', 'one segment, or a folder of exported ones (default: the whole log)')
    .option('--json', 'as JSON')
    .action(run((file: string | undefined, options: JsonOption) => actions.auditVerify(file, options)));
  audit
    .command('tail')
    .description('show the last calls')
    .argument('[file]', 'a segment file (default: the whole log)')
    .option('-n, --count <number>', 'number of calls (default: 20; with --since all)')
    .option('--caller <id>', 'only calls of this caller')
    .option('--tool <name>', 'only calls of this tool')
    .option('--since <when>', 'only calls since 15m, 2h or 7d ago, or since a date', parseSince)
    .option('-f, --follow', 'also show new calls as they happen')
    .option('--json', 'print the records as written, one per line')
    .action(run((file: string | undefined, options: AuditTailOptions) => actions.auditTail(file, options)));
  audit
    .command('export')
    .description('copy finished segments to a directory, where `audit verify FOLDER` can check them')
    .argument('<folder>', 'created if it is missing')
    .option('--before <when>', 'only segments last written before 90d ago, or before a date', parseSince)
    .action(run((folder: string, options: AuditExportOptions) => actions.auditExport(folder, options)));
  audit
    .command('prune')
    .description('remove old segments; the rest can still be verified')
    .option('--before <when>', 'segments last written before 90d ago, or before a date', parseSince)
    .option('--missing', 'accept that the first segments were moved elsewhere')
    .action(run((options: AuditPruneOptions) => actions.auditPrune(options)));
}
