import type { Feature } from '../state/feature.ts';
import { policyCommands } from './commands.ts';
import { CustomPolicyDialog } from './custom/CustomPolicyDialog.tsx';

export const policyFeature: Feature = { commands: policyCommands, dialogs: { customPolicy: CustomPolicyDialog } };
