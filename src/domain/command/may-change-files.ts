import { type CommandNode, type CommandWord, type SimpleCommand, wordText } from './command-plan.js';
import { checkCall } from './programs/program-options.js';
import { pathsOf } from './programs/program-paths.js';

/**
 * Returns false if a part of a command line certainly creates, renames and removes no file, so that patterns
 * keep their matches.
 */
export function mayChangeFiles(node: CommandNode): boolean {
  switch (node.kind) {
    case 'cd':
    case 'builtin':
      return false;
    case 'background':
      return true;
    case 'command':
      return writesByRedirection(node) || !onlyReads(node);
    case 'group':
      return writesByRedirection(node) || mayChangeFiles(node.body);
    case 'pipeline':
      return node.parts.some(mayChangeFiles);
    case 'list':
      return mayChangeFiles(node.first) || node.rest.some((item) => mayChangeFiles(item.node));
  }
}

function writesByRedirection({ redirects }: Pick<SimpleCommand, 'redirects'>): boolean {
  return redirects.some(
    (redirect) =>
      redirect.kind === 'file' && redirect.mode !== 'read' && !redirect.target.startsWith('/dev/'),
  );
}

/** Known programs do only what their options say, and no accepted option runs another program. */
function onlyReads({ words: [program, ...rest] }: SimpleCommand): boolean {
  const args = rest.filter((word): word is CommandWord => word.kind === 'literal' || word.kind === 'glob');
  if (program === undefined || args.length < rest.length) return false;
  const call = { program: wordText(program), args, directory: '.' };
  const paths = pathsOf(call);
  return paths !== undefined && paths.write.length === 0 && call.program !== 'git' && checkCall(call).success;
}
