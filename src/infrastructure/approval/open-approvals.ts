import { ApprovalListener, type AskingServer } from './approval-listener.js';
import { PinFile } from './pin-file.js';

/** The socket of a server whose questions are answered with the PIN of this user. */
export function openApprovals(stateFolder: string, asking: AskingServer): ApprovalListener {
  return new ApprovalListener(stateFolder, asking, new PinFile(stateFolder));
}
