import {
  type FullShellObstacle,
  fullShellObstacle,
} from '../../../domain/permission/policy/full-shell-terms.js';
import { normaliseToolName } from '../../../domain/tool/tool-name.js';
import type { ToolEntry } from '../schema/policy-document.js';
import type { EffectsSubject, Report } from './effects-subject.js';

const WHY: Readonly<Record<FullShellObstacle, readonly [message: string, hint: string]>> = {
  programs: [
    'shell: full needs a list that allows every program: what a text runs is not known beforehand.',
    'Write allowed_commands: ["*"] beside it, with denied_commands for the rest, or shell: static with the programs by name.',
  ],
  sandbox: [
    'shell: full needs a sandbox: nothing else contains what a text runs.',
    'Name one, such as sandbox: workspace, or write shell: static.',
  ],
  unavailable: [
    'shell: full needs sandbox_unavailable: deny: without a sandbox nothing contains what a text runs.',
    'Leave sandbox_unavailable out, or write shell: static.',
  ],
};

/**
 * Whoever writes it must mean it. Inherited by a file that names programs, or takes the sandbox away, it is static: that
 * file only says less than the one it extends.
 */
export function checkShell({ file, document, layer }: EffectsSubject, report: Report): void {
  for (const [name, entry] of Object.entries(document.tools ?? {})) {
    const rules = layer.tools.get(normaliseToolName(name));
    const obstacle = rules && entry.shell?.value === 'full' ? fullShellObstacle(rules) : undefined;
    if (obstacle === undefined || entry.shell === undefined) continue;
    if (entry.shell.at.file !== file && entry.shell.at.file !== causeOf(entry, obstacle)) continue;
    const [message, hint] = WHY[obstacle];
    report(entry.shell.at, message, hint);
  }
}

/** The file that says what stands in the way, where one entry says it. */
function causeOf(
  { allowed_commands: commands, sandbox }: ToolEntry,
  obstacle: FullShellObstacle,
): string | undefined {
  switch (obstacle) {
    case 'programs':
      return commands?.[0]?.at.file;
    case 'sandbox':
      return sandbox?.[0]?.at.file;
    case 'unavailable':
      return undefined;
  }
}
