import { join } from 'node:path';

/** Sockets and the PIN of approvals, for this user alone. */
export function approvalFolder(stateFolder: string): string {
  return join(stateFolder, 'approvals');
}

/** There is a PIN where there is this file. */
export function pinPath(stateFolder: string): string {
  return join(approvalFolder(stateFolder), 'pin.json');
}

const SOCKET = /^(\d+-\d+)\.[0-9a-f]{8}\.sock$/;

/** The process that listens on a socket of this name. */
export function socketOwner(name: string): string | undefined {
  return SOCKET.exec(name)?.[1];
}
