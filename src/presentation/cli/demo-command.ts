import type {
  ExplainPermissionQuery,
  PermissionExplanation,
} from '../../application/permission/explain-permission.js';
import { type CalledServer, callCommand } from './call-command.js';
import type { ExitCode, Output } from './output.js';
import { policyExplainCommand } from './policy-explain-command.js';

const GREETING = '{"message":"hello"}';
/** Every built-in profile refuses it, whether it exists or not. */
const SECRET = '{"path":".env"}';

/** `castellan demo`: three commands that a user would type, with their output. */
export async function demoCommand(
  server: CalledServer,
  explain: (query: ExplainPermissionQuery) => Promise<PermissionExplanation>,
  workspace: string,
  output: Output,
): Promise<ExitCode> {
  const type = (line: string) => output.out(output.paint('bold', `$ castellan ${line}`));
  type(`call echo '${GREETING}'`);
  const greeted = await callCommand(server, 'echo', GREETING, {}, output);
  // Only a terminal gets the end of the line.
  output.out(output.forPeople ? '' : '\n');
  type(`call read_file '${SECRET}'`);
  // A refusal is what this step shows.
  const refused = await callCommand(server, 'read_file', SECRET, {}, output);
  output.out('');
  type(`policy explain read_file '${SECRET}'`);
  await policyExplainCommand(
    explain,
    'read_file',
    SECRET,
    { workspace, toolNames: server.toolNames() },
    output,
  );
  return greeted === 0 && refused === 1 ? 0 : 1;
}
