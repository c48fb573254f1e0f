import type { AuditExportOptions, AuditPruneOptions } from '../audit-archive-command.js';
import type { AuditTailOptions } from '../audit-tail-command.js';
import type { Building } from './building.js';
import type { JsonOption } from './command-actions.js';
import { parseSince } from './option-values.js';

/** Commands about what may be done and what was done. */
export function addReview(building: Building): void {
  addPolicy(building);
  addAudit(building);
  addGit(building);
}

function addPolicy({ program, actions, run, where }: Building): void {
  const policy = program
    .command('policy')
    .description('check the policy, or ask it about a call')
    .helpCommand(false);
  policy
    .command('check')
    .description("schema, lint, the policy's own tests, and the power it really grants")
    .argument('[file]', 'a policy file; the one in force where absent')
    .option('--json', 'as JSON')
    .action(
      run((file: string | undefined, options: JsonOption) => actions.policyCheck(where(), file, options)),
    );
  policy
    .command('explain')
    .description('the decision about a call, the rule that made it, each step')
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
    .argument('[file]', 'one segment; the whole log where absent')
    .option('-n, --count <number>', 'how many (20; with --since all of them)')
    .option('--caller <id>', 'only calls of this caller')
    .option('--tool <name>', 'only calls of this tool')
    .option('--since <when>', 'only calls since then: 15m, 2h, 7d ago, or a date', parseSince)
    .option('-f, --follow', 'go on with those that come')
    .option('--json', 'the records as they were written, a line each')
    .action(run((file: string | undefined, options: AuditTailOptions) => actions.auditTail(file, options)));
  audit
    .command('export')
    .description('copy finished segments into a folder, where `audit verify FOLDER` checks them')
    .argument('<folder>', 'made if it is missing')
    .option('--before <when>', 'only those last written before: 90d ago, or a date', parseSince)
    .action(run((folder: string, options: AuditExportOptions) => actions.auditExport(folder, options)));
  audit
    .command('prune')
    .description('remove old segments; what is left can still be checked')
    .option('--before <when>', 'those last written before: 90d ago, or a date', parseSince)
    .option('--missing', 'accept that the first segments were moved elsewhere')
    .action(run((options: AuditPruneOptions) => actions.auditPrune(options)));
}

function addGit({ program, actions, run, where }: Building): void {
  const git = program
    .command('git')
    .description("what passes between the user's git folder and that of commands")
    .helpCommand(false);
  git
    .command('status')
    .description('what waits on either side, what was in conflict, what is kept')
    .action(run(() => actions.git(where(), 'status')));
  git
    .command('sync')
    .description('carry over now what waits')
    .action(run(() => actions.git(where(), 'sync')));
  git
    .command('discard')
    .description('put aside what commands have not passed on; they start again from what the user has')
    .action(run(() => actions.git(where(), 'discard')));
  git
    .command('adopt')
    .description("count the commits of commands up to this one as the user's own")
    .argument('<revision>', 'a commit, branch or tag')
    .action(run((revision: string) => actions.git(where(), 'adopt', revision)));
  git
    .command('restore')
    .description('get back, as a branch, a commit that commands replaced or deleted')
    .argument('<commit>', 'as `castellan git status` lists it')
    .action(run((commit: string) => actions.git(where(), 'restore', commit)));
}
