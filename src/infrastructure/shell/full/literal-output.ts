import { wordText } from '../../../domain/command/command-plan.js';
import type { SeenCommand } from '../../../domain/command/full/seen-command.js';

/** What a command surely prints, where its own words say so: `echo TEXT | sh`, `cat <<EOF | sh`. */
export function literalOutput({ words, input }: SeenCommand): string | undefined {
  const [program, ...args] = words.map(wordText);
  switch (program) {
    case 'cat':
      return args.length === 0 || args[0] === '-' ? input : undefined;
    case 'echo':
      return args.filter((word, index) => index > 0 || !/^-[neE]+$/.test(word)).join(' ');
    case 'printf':
      return args
        .filter((word) => word !== '--')
        .join(' ')
        .replace(/\\n/g, '\n');
    default:
      return undefined;
  }
}
