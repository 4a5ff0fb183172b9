import { findAssignments } from './assignments.ts';
import { findHeaders } from './headers.ts';
import {
  findAuthorizationParameters,
  findInForms,
  findInInserts,
  findInTables,
  findKubernetesSecrets,
  findOtherKeys,
  findRecoveryCodes,
} from './layouts.ts';
import { findUsersAndHosts } from './people.ts';
import { findAddresses, findEmails, findHomes, findPhones } from './personal.ts';
import { findJwts, findKeyBlocks, findPartedTokens, findUrls } from './structured.ts';
import { findTokens } from './tokens.ts';
import type { Detector } from './types.ts';

/** All detectors of this program, those of secrets first: where two find the same, the first names it. */
export const DETECTORS: readonly Detector[] = [
  findKeyBlocks,
  findTokens,
  findJwts,
  findPartedTokens,
  findUrls,
  findHeaders,
  findAssignments,
  findAuthorizationParameters,
  findInForms,
  findInInserts,
  findInTables,
  findKubernetesSecrets,
  findOtherKeys,
  findRecoveryCodes,
  findHomes,
  findEmails,
  findAddresses,
  findPhones,
  findUsersAndHosts,
];
