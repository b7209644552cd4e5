/** The settings of certificate authorities, with what their files contain. */
import { readFileSync } from 'node:fs';
import { StartError } from '#base';
import type { AcmeSettings } from '#control';
import type { Settings } from './settings.ts';

export function readAcmeSettings(settings: Settings): AcmeSettings {
  const { acmeDirectories: directories, acmeStaging: staging, acmeTrust: file } = settings;
  const { acmeKeyId: keyId, acmeHmacKey: hmacKey } = settings;
  if ((keyId === undefined) !== (hmacKey === undefined)) {
    throw new StartError('acme_key_id and acme_hmac_key belong together: set both, or none');
  }
  return {
    directories,
    staging,
    trusted: file === undefined ? undefined : readTrusted(file),
    externalAccount: keyId === undefined ? undefined : { keyId, hmacKey: hmacKey! },
  };
}

function readTrusted(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new StartError(`cannot read acme_trust: ${(error as Error).message}`, { cause: error });
  }
}
