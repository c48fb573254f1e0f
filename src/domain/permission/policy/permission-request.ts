/**
 * What a tool is about to do, in its caller's words. The policy decides on its canonical form, and the guards
 * enforce it again on what really happens.
 */
export type PermissionRequest =
  | {
      readonly kind: 'read-path';
      readonly path: string;
      readonly argument: string;
      /** One of several independent requests: if it is denied, the call continues without it. */
      readonly optional?: true;
    }
  | {
      readonly kind: 'write-path';
      readonly path: string;
      readonly argument: string;
      /** Whatever exists there would be deleted: a person asked for consent is told how much it is. */
      readonly deletes?: true;
    }
  | {
      readonly kind: 'run-command';
      readonly command: string;
      readonly args?: readonly string[];
      readonly cwd?: string;
      readonly env?: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'reach-host'; readonly host: string; readonly port?: number };

/** `argument` names the field the path came from, so that a refusal can mention it. */
export function readPath(path: string, argument = 'path'): PermissionRequest {
  return { kind: 'read-path', path, argument };
}

export function readOptional(path: string, argument: string): PermissionRequest {
  return { kind: 'read-path', path, argument, optional: true };
}

/** `api.example.com`, with a port if it is not the scheme's default. */
export function reachHost(address: string): PermissionRequest {
  const port = /:(\d{1,5})$/.exec(address)?.[1];
  return port === undefined
    ? { kind: 'reach-host', host: address }
    : { kind: 'reach-host', host: address.slice(0, -port.length - 1), port: Number(port) };
}

/** Asks to change the file or folder at a path. */
export function writePath(path: string, argument = 'path'): PermissionRequest {
  return { kind: 'write-path', path, argument };
}

export function deletePath(path: string, argument = 'path'): PermissionRequest {
  return { kind: 'write-path', path, argument, deletes: true };
}
