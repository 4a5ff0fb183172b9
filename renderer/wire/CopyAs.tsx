import { ChevronDown } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { useState } from 'react';
import type { ReproductionName } from '../../core/protocol/reproduceTypes.ts';
import type { WireParams } from '../../core/protocol/wireTypes.ts';
import { useActions, useApp } from '../state/context.tsx';
import { toProtocolError } from '../state/engine.ts';

const CHOICES: readonly { readonly as: ReproductionName; readonly title: string; readonly help: string }[] = [
  { as: 'curl', title: 'curl with its body', help: 'The whole request in one command; the key from the environment' },
  { as: 'python', title: 'Python SDK call', help: 'Fields that the SDK does not know are left out' },
  { as: 'typescript', title: 'TypeScript SDK call', help: 'Fields that the SDK does not know are left out' },
  { as: 'vitest', title: 'vitest test', help: 'Fails when another request comes out of the policy in it' },
  { as: 'pytest', title: 'pytest test', help: 'Fails when another request comes out of the policy in it' },
  { as: 'settings', title: 'Settings of vendors', help: 'The policy in their own words, and what each cannot say' },
];

/** The request as something that runs, scrubbed, to the clipboard. */
export function CopyAs({ params, isReady }: { readonly params: WireParams | null; readonly isReady: boolean }) {
  const { engine } = useApp();
  const { toast } = useActions();
  const [isBusy, setIsBusy] = useState(false);
  const copy = async (as: ReproductionName, title: string) => {
    if (params === null) return;
    const { id, spec, at, target, model } = params;
    setIsBusy(true);
    try {
      const asked = { id, spec, at, as, target, ...(model != null && model !== '' && { model }) };
      const { text, masked, notes } = await engine.call('reproduce.text', asked);
      await navigator.clipboard.writeText(text);
      const said = as === 'settings' ? notes : [`${masked} ${masked === 1 ? 'place' : 'places'} masked.`, ...notes];
      toast({ tone: 'info', text: `Copied: ${title}.`, ...(said.length > 0 && { detail: said.join(' ') }) });
    } catch (thrown) {
      toast({ tone: 'error', text: toProtocolError(thrown).message });
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger asChild>
        <button type="button" className="button wire-action" disabled={!isReady || isBusy} data-testid="wire-copy-as">
          {isBusy ? 'Copying…' : 'Copy as'} <ChevronDown size={13} aria-hidden />
        </button>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu menu-in-dialog" align="end" sideOffset={4} collisionPadding={8}>
          <DropdownMenu.Label className="menu-label">Scrubbed like a report</DropdownMenu.Label>
          {CHOICES.map(({ as, title, help }) => (
            <DropdownMenu.Item key={as} className="menu-item" title={help} onSelect={() => void copy(as, title)}>
              {title}
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
