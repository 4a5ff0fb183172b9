import type { Feature } from '../state/feature.ts';
import { lazily } from '../ui/lazily.tsx';
import { policyCommands } from './commands.ts';

const CustomPolicyDialog = lazily(() =>
  import('./custom/CustomPolicyDialog.tsx').then((file) => file.CustomPolicyDialog),
);

export const policyFeature: Feature = { commands: policyCommands, dialogs: { customPolicy: CustomPolicyDialog } };
