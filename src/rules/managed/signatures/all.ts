import { contentSystems } from './content-systems.ts';
import { deserialisation } from './deserialisation.ts';
import { detectors } from './detectors.ts';
import { fileInclusion } from './file-inclusion.ts';
import { fileProbes } from './file-probes.ts';
import { knownSoftwareJava } from './known-software-java.ts';
import { knownSoftware } from './known-software.ts';
import { protocolAbuse } from './protocol-abuse.ts';
import { scanners } from './scanners.ts';
import { serverSideRequests } from './server-side-requests.ts';
import type { Signature } from './signature.ts';
import { webShells } from './web-shells.ts';
import { wordpress } from './wordpress.ts';
import { xml } from './xml.ts';

/**
 * Signatures of particular software come before those of whole classes of attacks: operators see the first rule that
 * acts, and "Spring, CVE-2022-22965" is more specific than "Java".
 */
export const signatures: readonly Signature[] = [
  ...knownSoftwareJava,
  ...knownSoftware,
  ...wordpress,
  ...contentSystems,
  ...deserialisation,
  ...xml,
  ...webShells,
  ...fileInclusion,
  ...serverSideRequests,
  ...protocolAbuse,
  ...scanners,
  ...fileProbes,
  ...detectors,
];
