#!/usr/bin/env bash
# Creates the repository "shared" with a copy of FILE, and merges two branches: demo.sh FILE
set -euo pipefail
git init -q -b main shared
chemopen convert "$1" shared/compounds.sdf
cd shared
git config user.name Anna
git config user.email anna@example.org
chemopen git-setup >.git/setup.log
git add compounds.sdf
git commit -qm "Add compounds"

git switch -qc supplier
chemopen edit --record biotin --set SUPPLIER=ACME compounds.sdf
git commit -qam "Add the supplier"

git switch -q main
chemopen edit --record biotin --set MASS=244.3 compounds.sdf
git commit -qam "Round the mass"

git merge -q --no-edit supplier >.git/merge.log
echo "merged:"
git diff HEAD~2 HEAD
