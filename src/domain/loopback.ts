const OCTET = '(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)';
const LOOPBACK = new RegExp(`^(?:localhost|127(?:\\.${OCTET}){3}|::1|\\[::1\\])$`, 'i');

/**
 * Returns true if a host name or address, as written in a setting, a URL or a Host header, is this machine.
 */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host);
}
