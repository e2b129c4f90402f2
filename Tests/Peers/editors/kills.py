#!/usr/bin/env python3
"""Kills `chemopen edit --with` at random moments, and checks that no saved copy is lost.

    kills.py CHEMOPEN [TIMES] [SEED]

A script in place of the editor saves one changed atom. Whenever Chemopen is killed, the file must be the original or
the merged file, byte by byte. `chemopen edit --resume` must then merge the copy that the editor saved.
"""
import os
import random
import subprocess
import sys
import tempfile
import time

RECORD = '''record {0}


  2  1  0  0  0  0  0  0  0  0999 V2000
    0.0000    0.0000    0.0000 C   0  0  0  0  0
    1.2990    0.7500    0.0000 O   0  0
  1  2  1  0
M  END
>  <ID>
{0}

$$$$
'''
EDITOR = '''sleep 0.2
sed 's/ O  / S  /' "$1" > "$1.new" && mv "$1.new" "$1"
sleep 0.3
touch "$(dirname "$0")/done"
'''


def main():
    chemopen = os.path.abspath(sys.argv[1])
    times = int(sys.argv[2]) if len(sys.argv) > 2 else 200
    dice = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    before = ''.join(RECORD.format(number) for number in range(50))
    changed = RECORD.format(25).replace(' O  ', ' S  ')
    after = before.replace(RECORD.format(25), changed)
    lost = broken = killed = 0
    for turn in range(times):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, 'a.sdf')
            script = os.path.join(folder, 'editor.sh')
            open(path, 'w').write(before)
            open(script, 'w').write(EDITOR)
            environment = dict(os.environ, HOME=folder, XDG_DATA_HOME=folder)
            run = subprocess.Popen([chemopen, 'edit', path, '--record', '25', '--with', 'sh ' + script],
                                   env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(dice.uniform(0, 1.2))
            killed += run.poll() is None
            run.kill()
            run.wait()
            text = open(path).read()
            broken += text not in (before, after)
            began = os.path.isdir(os.path.join(folder, 'chemopen', 'edits')) and any(
                len(files) > 1 for _, _, files in os.walk(os.path.join(folder, 'chemopen', 'edits')))
            limit = time.time() + 5
            while began and not os.path.exists(os.path.join(folder, 'done')) and time.time() < limit:
                time.sleep(0.05)
            saved = os.path.exists(os.path.join(folder, 'done'))
            subprocess.run([chemopen, 'edit', '--resume'], env=environment, stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL)
            if saved and open(path).read() != after:
                lost += 1
                print('lost: turn %d' % turn)
    print('%d runs, %d killed: %d files broken, %d saved copies lost' % (times, killed, broken, lost))
    return 1 if lost or broken else 0


if __name__ == '__main__':
    sys.exit(main())
