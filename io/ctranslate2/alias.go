package ctranslate2

// alias is an entry of the alias table, at its byte offset.
type alias struct {
	name, target string
	at           int64
}

// aliases reads the table and resolves every alias to a variable. The target
// of an alias may be another alias, before or after it.
func (p *parsed) aliases(c *cursor) error {
	n, err := c.count("aliases", MaxAliases)
	if err != nil {
		return err
	}
	table := make(map[string]alias)
	var order []alias
	for range n {
		a := alias{at: c.off}
		c.bad = false
		if a.name, err = c.str("the name of an alias"); err != nil {
			return err
		}
		if a.target, err = c.str("the target of an alias"); err != nil {
			return err
		}
		if _, twice := table[a.name]; !c.bad && (twice || p.has(a.name)) {
			if err := c.note(c.fail(CodeDuplicate, a.at, "the alias %q has the name of another entry", a.name)); err != nil {
				return err
			}
		}
		if !c.bad {
			table[a.name] = a
			order = append(order, a)
			p.header.Aliases = append(p.header.Aliases, Alias{a.name, a.target})
		}
	}
	// All targets are found before any alias becomes a name of its own, so that
	// what an alias means does not depend on its place in the table.
	resolved := make([]string, len(order))
	for i, a := range order {
		if resolved[i], err = p.resolve(c, table, a); err != nil {
			return err
		}
	}
	for i, a := range order {
		if resolved[i] != "" {
			p.bind(a.name, resolved[i])
		}
	}
	for i, a := range order {
		for _, suffix := range [...]string{"_scale", "_zero"} {
			_, taken := p.index.Aliases[a.name+suffix]
			if !taken && p.has(resolved[i]+suffix) && !p.has(a.name+suffix) {
				p.bind(a.name+suffix, resolved[i]+suffix)
			}
		}
	}
	return nil
}

// nowhere is the target of an alias that leads to no variable.
const nowhere = ""

// resolve follows a to a variable and stops at a fault. Chains are
// walked from the front of the table; each resolved link is shortened, so the
// whole table takes linear time.
func (p *parsed) resolve(c *cursor, table map[string]alias, a alias) (string, error) {
	var path []string
	seen := map[string]bool{}
	shorten := func(target string) {
		for _, name := range path {
			link := table[name]
			link.target = target
			table[name] = link
		}
	}
	for at := table[a.name]; ; {
		if seen[at.name] {
			shorten(nowhere)
			return nowhere, c.note(c.fail(CodeAlias, a.at, "the alias %q leads back to itself", a.name))
		}
		seen[at.name] = true
		path = append(path, at.name)
		if at.target == nowhere {
			shorten(nowhere)
			return nowhere, c.note(c.fail(CodeAlias, a.at, "the alias %q leads to no variable", a.name))
		}
		if p.has(at.target) {
			shorten(at.target)
			return at.target, nil
		}
		next, ok := table[at.target]
		if !ok {
			shorten(nowhere)
			return nowhere, c.note(c.fail(CodeAlias, at.at, "the alias %q points to %q, which is not in the file", at.name, at.target))
		}
		at = next
	}
}

// bind makes name another name of a variable. A scalar is copied: the index
// has no aliases of scalars.
func (p *parsed) bind(name, target string) {
	if v, ok := p.index.Scalars[target]; ok {
		p.index.Scalars[name] = v
		return
	}
	p.index.Aliases[name] = target
}
