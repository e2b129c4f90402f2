// The function names follow chemopen.h.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CChemopen
import Chemopen

extension Reaction.Step {
    /// The components in a role, or `nil` if there is no such role.
    fileprivate func components(_ role: chemopen_role) -> [Reaction.Component]? {
        switch role {
        case CHEMOPEN_REACTANT: reactants
        case CHEMOPEN_AGENT: agents
        case CHEMOPEN_PRODUCT: products
        default: nil
        }
    }

    /// Adds a component in a role. Returns `false` if there is no such role.
    fileprivate mutating func add(_ component: Reaction.Component, as role: chemopen_role) -> Bool {
        switch role {
        case CHEMOPEN_REACTANT: reactants.append(component)
        case CHEMOPEN_AGENT: agents.append(component)
        case CHEMOPEN_PRODUCT: products.append(component)
        default: return false
        }
        return true
    }
}

@c @implementation
public func chemopen_record_steps(_ record: OpaquePointer?, _ count: UnsafeMutablePointer<Int>?) -> chemopen_status {
    guard let count = unsafe count else { return CHEMOPEN_MISUSE }
    unsafe count.pointee = 0
    return unsafe with(record, as: RecordHandle.self) { record in
        guard case .reaction(let reaction) = record.record.subject else { return CHEMOPEN_ABSENT }
        unsafe count.pointee = reaction.steps.count
        return CHEMOPEN_OK
    }
}

@c @implementation
public func chemopen_record_step(
    _ record: OpaquePointer?, _ index: Int, _ step: UnsafeMutablePointer<chemopen_step>?
) -> chemopen_status {
    unsafe with(record, as: RecordHandle.self) { record in
        guard case .reaction(let reaction) = record.record.subject, reaction.steps.indices.contains(index) else {
            return unsafe record.lend(Reaction.Step(), to: step) ? CHEMOPEN_ABSENT : CHEMOPEN_MISUSE
        }
        return unsafe record.lend(reaction.steps[index], to: step) ? CHEMOPEN_OK : CHEMOPEN_MISUSE
    }
}

@c @implementation
public func chemopen_record_component(
    _ record: OpaquePointer?, _ step: Int, _ role: chemopen_role, _ index: Int, _ molecule: OpaquePointer?,
    _ place: UnsafeMutablePointer<chemopen_component>?
) -> chemopen_status {
    unsafe with(record, as: RecordHandle.self) { record in
        unsafe with(molecule, as: RecordHandle.self) { molecule in
            molecule.beginChange()
            molecule.record = Record()
            guard case .reaction(let reaction) = record.record.subject, reaction.steps.indices.contains(step) else {
                return CHEMOPEN_ABSENT
            }
            guard let components = reaction.steps[step].components(role) else {
                return record.misuse("unknown role: \(role.rawValue)")
            }
            guard components.indices.contains(index) else { return CHEMOPEN_ABSENT }
            if unsafe place != nil {
                guard unsafe record.lend(components[index], to: place) else {
                    return record.misuse("the size of the component is not valid")
                }
            }
            molecule.record = Record(components[index].molecule)
            return CHEMOPEN_OK
        }
    }
}

@c @implementation
public func chemopen_record_add_step(
    _ record: OpaquePointer?, _ arrow: UnsafePointer<CChar>?, _ conditions: UnsafePointer<chemopen_text>?, _ count: Int
) -> chemopen_status {
    unsafe with(record, as: RecordHandle.self) { record in
        var step = Reaction.Step()
        if let name = unsafe string(arrow) {
            guard let kind = Reaction.Arrow(name: name) else {
                let known = Reaction.Arrow.allCases.map(\.name)
                return record.misuse("unknown kind of arrow: \"\(name)\"" + suggestion(for: name, among: known))
            }
            step.arrow = kind
        }
        guard count >= 0, unsafe count == 0 || conditions != nil else {
            return record.misuse("the conditions are null, but their count is not 0")
        }
        let given = unsafe Given(conditions, count)
        for index in unsafe given.indices {
            guard let line = unsafe given[index], let text = unsafe bytes(line.bytes, line.length) else {
                return record.misuse("a condition is null")
            }
            step.conditions.append(Text(bytes: text))
        }
        record.beginChange()
        var reaction: Reaction
        switch record.record.subject {
        case .reaction(let known): reaction = known
        case .molecule(let molecule):
            reaction = Reaction()
            reaction.name = molecule.name
        case .none: reaction = Reaction()
        }
        record.record.subject = .none
        reaction.steps.append(step)
        record.record.subject = .reaction(reaction)
        return CHEMOPEN_OK
    }
}

/// Returns the name and the coefficient of a component, or `nil` if they are not valid.
private func texts(of component: UnsafePointer<chemopen_component>?) -> (name: Text, stoichiometry: Text)? {
    guard let component = unsafe given(component), let name = unsafe bytes(component.name.bytes, component.name.length),
        let count = unsafe bytes(component.stoichiometry.bytes, component.stoichiometry.length)
    else { return nil }
    return (Text(bytes: name), Text(bytes: count))
}

@c @implementation
public func chemopen_record_add_component(
    _ record: OpaquePointer?, _ role: chemopen_role, _ molecule: OpaquePointer?,
    _ component: UnsafePointer<chemopen_component>?
) -> chemopen_status {
    unsafe with(record, as: RecordHandle.self) { record in
        unsafe with(molecule, as: RecordHandle.self) { molecule in
            guard let (name, stoichiometry) = unsafe texts(of: component) else {
                return record.misuse("the component is not valid")
            }
            guard case .molecule(let added) = molecule.record.subject else { return CHEMOPEN_ABSENT }
            guard case .reaction(var reaction) = record.record.subject, let last = reaction.steps.indices.last else {
                return CHEMOPEN_ABSENT
            }
            var component = Reaction.Component(added)
            (component.name, component.stoichiometry) = (name, stoichiometry)
            record.beginChange()
            record.record.subject = .none
            let isRole = reaction.steps[last].add(component, as: role)
            record.record.subject = .reaction(reaction)
            return isRole ? CHEMOPEN_OK : record.misuse("unknown role: \(role.rawValue)")
        }
    }
}
