import type { ConsentPrompt } from '../../application/ports/permission/consent-prompt.js';
import { AskingServers } from '../../infrastructure/approval/asking-servers.js';
import { PersonAtTerminal } from '../../infrastructure/approval/person-at-terminal.js';
import { PinFile } from '../../infrastructure/approval/pin-file.js';
import { resolveStateFolder } from '../../infrastructure/state/state-folder.js';
import {
  type ApprovalService,
  type ApproveOptions,
  approveCommand,
  questionText,
  typeExactly,
} from '../../presentation/cli/approve-command.js';
import { processOutput } from '../../presentation/cli/output.js';
import { orThrow } from '../configuration/configuration-error.js';

export async function approve(id: string | undefined, options: ApproveOptions): Promise<number> {
  const person = options.list ? undefined : PersonAtTerminal.open();
  try {
    return await approveCommand(
      service(orThrow(resolveStateFolder(process.env))),
      person,
      id,
      options,
      processOutput,
    );
  } finally {
    person?.close();
  }
}

function service(stateFolder: string): ApprovalService {
  const pin = new PinFile(stateFolder);
  const servers = new AskingServers(stateFolder);
  const sockets = new Map<string, string>();
  return {
    get pinSet() {
      return pin.isSet();
    },
    setPin: (given) => pin.set(given),
    unlock: (given) => pin.unlock(given),
    questions: async () => {
      const found = await servers.questions();
      for (const { id, socket } of found) sockets.set(id, socket);
      return found;
    },
    answer: (id, key, answer) =>
      servers.answer(sockets.get(id) ?? '', key, { id, way: 'terminal', ...answer }),
    now: Date.now,
  };
}

/** Asks the person who has typed `castellan call`; with the PIN where one is set. undefined: nobody sits there. */
export function askHere(stateFolder: string): ConsentPrompt | undefined {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return undefined;
  const pin = new PinFile(stateFolder);
  return {
    ask: async (form, signal) => {
      const person = PersonAtTerminal.open();
      if (person === undefined) return { kind: 'unavailable' };
      const close = (): void => person.close();
      signal.addEventListener('abort', close, { once: true });
      try {
        person.show(`\n${questionText(form)}`);
        const word = await person.ask('The policy wants you to agree. Allow it once? [y/N] ');
        if (word === undefined || !/^y(es)?$/i.test(word.trim())) return { kind: 'decline' };
        const typed = form.phrase === undefined ? '' : await person.ask(typeExactly(form.phrase));
        if (typed === undefined) return { kind: 'cancel' };
        if (pin.isSet()) {
          const unlocked = await pin.unlock((await person.secret('PIN: ')) ?? '');
          if (!unlocked.success) {
            person.show(unlocked.error);
            return { kind: 'decline' };
          }
        }
        return { kind: 'accept', ...(form.phrase !== undefined && { typed }) };
      } finally {
        signal.removeEventListener('abort', close);
        person.close();
      }
    },
  };
}
