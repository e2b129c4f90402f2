#!/usr/bin/env python3
"""Merges what editors returned for files with one feature each, and counts the files that stay as they are.

    merge.py CHEMOPEN EDITORS ROUNDTRIP [--only NAME] [--verbose]

EDITORS is a directory with recorded outputs: NAME.json maps each path below ROUNDTRIP to the molfile that the editor
NAME returned for it. Each file is edited twice with `chemopen edit --with`; a script replaces the editor:

unchanged   the recorded output is saved. The file must stay identical, or the edit must be refused.
changed     one atom of the recorded output is replaced first. That atom must have changed in the file, and every other
            fact that check.py of ROUNDTRIP finds must be as before or be reported.

The script is skipped if the directories do not exist.
"""
import collections
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile

ELEMENTS = ['C', 'N', 'O', 'S', 'P']


def run(chemopen, path, output, home):
    environment = dict(os.environ, HOME=home, XDG_DATA_HOME=home)
    environment.pop('DISPLAY', None)
    result = subprocess.run([chemopen, 'edit', path, '--with', 'cp ' + output], capture_output=True, env=environment,
                            timeout=60)
    return result.returncode, (result.stdout + result.stderr).decode(errors='replace')


def atom_line(lines):
    """The position of the first replaceable atom of a molfile: its line, and the columns or the token of its symbol."""
    if any('V3000' in line for line in lines[:4]):
        inside = False
        number = 0
        for place, line in enumerate(lines):
            if line.startswith('M  V30 BEGIN ATOM'):
                inside = True
            elif line.startswith('M  V30 END ATOM'):
                return None
            elif inside:
                words = line.split()
                if words[3] in ELEMENTS and 'CHG' not in line and 'MASS' not in line and 'VAL' not in line:
                    return place, number, words[3]
                number += 1
        return None
    if len(lines) < 5:
        return None
    count = int(lines[3][:3])
    for number in range(count):
        line = lines[4 + number]
        symbol = line[31:34].strip()
        if symbol in ELEMENTS and line[34:39].strip() in ('0  0', ''):
            return 4 + number, number, symbol
    return None


def replaced(text):
    """The molfile with another element in one atom, the number of the atom and the element."""
    lines = text.split('\n')
    found = atom_line(lines)
    if not found:
        return None
    place, number, symbol = found
    element = 'Si' if symbol == 'C' else 'Se'
    line = lines[place]
    if line.startswith('M  V30'):
        words = line.split(' ')
        words[words.index(symbol)] = element
        lines[place] = ' '.join(words)
    else:
        lines[place] = line[:31] + element.ljust(3) + line[34:]
    return '\n'.join(lines), number, element


def facts(check, path):
    kind, content = check.load(path)[:2]
    return {name: sorted(map(repr, items)) for name, items in check.facets(kind, content, {}).items()}


def main():
    arguments = [word for word in sys.argv[1:] if not word.startswith('--')]
    chemopen, editors, corpus = (os.path.abspath(word) for word in arguments[:3])
    verbose = '--verbose' in sys.argv
    only = sys.argv[sys.argv.index('--only') + 1] if '--only' in sys.argv else ''
    if not os.path.isdir(editors) or not os.path.isdir(corpus):
        print('skipped: there are no recorded outputs')
        return 0
    spec = importlib.util.spec_from_file_location('check', os.path.join(corpus, 'check.py'))
    check = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(check)
    failures = 0
    for file in sorted(name for name in os.listdir(editors) if name.endswith('.json')):
        outputs = json.load(open(os.path.join(editors, file), encoding='utf-8'))
        count = collections.Counter()
        lost = collections.Counter()
        for name, text in sorted(outputs.items()):
            if only and only not in name:
                continue
            original = os.path.join(corpus, name)
            with tempfile.TemporaryDirectory() as folder:
                failures += compare(check, chemopen, name, original, text, folder, count, lost, verbose)
        print('%s: %s' % (file[:-5], ', '.join('%s %d' % item for item in sorted(count.items()))))
    return 1 if failures else 0


def symbols(text):
    """The symbols of all atoms of a molfile, sorted."""
    lines = text.replace('\r', '').split('\n')
    if any('V3000' in line for line in lines[:4]):
        found = []
        inside = False
        for line in lines:
            if line.startswith('M  V30 BEGIN ATOM'):
                inside = True
            elif line.startswith('M  V30 END ATOM'):
                break
            elif inside and line.startswith('M  V30 ') and len(line.split()) > 6:
                found.append(line.split()[3])
        return sorted(found)
    count = int(lines[3][:3]) if len(lines) > 3 and lines[3][:3].strip().isdigit() else 0
    return sorted(line[31:34].strip() for line in lines[4:4 + count])


def original_symbol(lines, number):
    """The symbol of an atom in the original file."""
    if any('V3000' in line for line in lines[:4]):
        begin = next(place for place, line in enumerate(lines) if line.startswith('M  V30 BEGIN ATOM'))
        return lines[begin + 1 + number].split()[3]
    return lines[4 + number][31:34].strip()


def put_back(line, element, symbol):
    if line.startswith('M  V30'):
        return ' '.join(symbol if word == element else word for word in line.split(' '))
    return line[:31] + symbol.ljust(3) + line[34:] if line[31:34].strip() == element else line


def compare(check, chemopen, name, original, text, folder, count, lost, verbose):
    before = open(original, 'rb').read()
    path = os.path.join(folder, os.path.basename(name))
    output = os.path.join(folder, 'output.mol')
    home = os.path.join(folder, 'home')
    os.mkdir(home)
    open(output, 'w', encoding='utf-8').write(text)
    shutil.copy(original, path)
    count['files'] += 1
    if symbols(text) != symbols(before.decode('utf-8', errors='surrogateescape')):
        # The editor could not read the file, and returned the structure that it showed before.
        count['recorded output is another structure'] += 1
        return 0
    status, said = run(chemopen, path, output, home)
    failures = 0
    if open(path, 'rb').read() != before:
        count['unchanged: CHANGED'] += 1
        failures += 1
        print('CHANGED', name, said[:600] if verbose else said.split('\n')[0][:160])
        return failures
    if '(use --structure' in said:
        count['refused before'] += 1
        return 0
    if status:
        count['refused after'] += 1
        if verbose:
            print('refused', name, said[:200])
        return 0
    count['unchanged: identical'] += 1
    changed = replaced(text)
    if not changed:
        count['changed: no atom to replace'] += 1
        return 0
    open(output, 'w', encoding='utf-8').write(changed[0])
    status, said = run(chemopen, path, output, home)
    if status:
        count['changed: refused'] += 1
        if verbose:
            print('refused change', name, said[:300])
        return 0
    # The data are compared after the original element is restored in the text.
    after = open(path, encoding='utf-8', errors='surrogateescape').read().split('\n')
    old = before.decode('utf-8', errors='surrogateescape').split('\n')
    differing = [place for place in range(max(len(after), len(old))) if after[place:place + 1] != old[place:place + 1]]
    if len(differing) == 1 and changed[2] in after[differing[0]]:
        count['changed: one line'] += 1
        return 0
    # If another line differs, the data are compared after the original symbol is restored.
    restored = os.path.join(folder, 'restored.mol')
    old_symbol = 'C' if changed[2] == 'Si' else original_symbol(old, changed[1])
    lines = [line if place not in differing else put_back(line, changed[2], old_symbol) for place, line in
             enumerate(after)]
    open(restored, 'w', encoding='utf-8', errors='surrogateescape').write('\n'.join(lines))
    one, other = facts(check, original), facts(check, restored)
    wrong = [key for key in one if one[key] != other.get(key)]
    if changed[2] not in '\n'.join(after):
        wrong.append('the replaced atom')
    if wrong:
        silent = [key for key in wrong if 'kept' not in said]
        count['changed: OTHER FACTS'] += 1
        failures += 1
        print('OTHER', name, wrong, said[:500] if verbose else '')
    else:
        count['changed: facts kept, %s lines' % ('few' if len(differing) < 4 else 'many')] += 1
        if verbose:
            print('lines', name, len(differing), [after[place] for place in differing[:3]], said[:300])
    return failures


if __name__ == '__main__':
    sys.exit(main())
